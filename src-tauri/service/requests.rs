//! Maps each request to the code that answers it.

use adjutant_api::convert;
use adjutant_api::reply::ToolView;
use adjutant_api::{Fault, Reply, Request};
use adjutant_domain::gate::Channel;
use adjutant_domain::ids::{ConversationId, JobId, RecordId};
use adjutant_domain::model::Tier;
use adjutant_domain::ports::Records as _;
use adjutant_engine::Op;
use adjutant_store::Topic;

use super::{
    Service, Sink, accounts, broadcast, config, conversations, data, doctor, due, estimate, grants,
    import, invitation, mail_page, memory, models, outbox, programs, repeats, research, servers,
    show, store_fault, topic_word, turns, user_fault,
};
use crate::scoreboard;

/// Maximum number of search hits returned.
const HITS_MAX: usize = 200;
/// Maximum number of title hits per kind.
const TITLES_EACH: usize = 5;

impl Service {
    /// Answers one request. Writes its reply, events or fault to `out`; the caller adds the end.
    pub async fn handle(&self, request: Request, channel: Channel, out: &Sink) {
        if let Err(fault) = self.answer(request, channel, out).await {
            out.fault(fault).await;
        }
    }

    async fn answer(&self, request: Request, channel: Channel, out: &Sink) -> Result<(), Fault> {
        let reply = match request {
            Request::Ask { .. }
            | Request::Retry { .. }
            | Request::Answer { .. }
            | Request::Approve { .. }
            | Request::Reject { .. }
            | Request::Edit { .. }
            | Request::EditPlan { .. }
            | Request::AskAgain { .. }
            | Request::Undo { .. } => return turns::follow(self, request, channel, out).await,
            Request::Grant { id, digest, until } => {
                grants::give(self, (id, digest), &until, channel).await?
            }
            Request::RevokeGrant { id } => grants::revoke(self, id).await?,
            Request::RestoreGrant { id } => grants::restore(self, id).await?,
            Request::Subscribe { conversation, from } => {
                return turns::subscribe(self, &conversation, from, out).await;
            }
            Request::Notify {} => return broadcast::notify(self, out).await,
            Request::Apply { tool, args } => turns::apply(self, Op::Apply { tool, args }).await?,
            Request::Outbox { id, act } => outbox::decide(self, RecordId(id), act).await?,
            Request::UseMemory { id, on } => {
                let id = RecordId(id);
                turns::apply(self, Op::UseMemory { id, on }).await?
            }
            Request::Repeats { start, rule, last } => {
                let order = self.settings().core.date_order();
                repeats::offered(&start, rule.as_deref(), last.as_deref(), order)?
            }
            Request::MemoryUses { id } => memory::uses(self, &id).await?,
            Request::Interrupt { turn, conversation } => {
                turns::interrupt(self, turn, conversation).await?
            }
            Request::Show {
                what,
                id,
                from,
                to,
                limit,
                offset,
                text,
                only,
            } => {
                let asked = show::ShowParams {
                    id,
                    from,
                    to,
                    limit,
                    offset: offset.unwrap_or_default(),
                    text,
                    only: only.unwrap_or_default(),
                };
                show::reply(self, what, &asked).await?
            }
            Request::MailPage { id, images } => {
                let page = mail_page::show(self, &id, images);
                self.while_wanted(out, page).await?
            }
            Request::MailInvitation { id } => invitation::show(self, &id).await?,
            Request::Search { text, limit } => self.search(&text, limit).await?,
            Request::Explain {
                conversation,
                text,
                tier,
            } => {
                let tier = models::chosen_tier(tier.as_deref())?;
                self.explain(&conversation, &text, tier).await?
            }
            Request::Glance { text } => self.glance(&text).await?,
            Request::EstimateRoutes {
                messages,
                said_tokens,
            } => Reply::Estimated {
                estimate: estimate::of_routes(self, messages, said_tokens),
            },
            Request::EstimateComparison { name } => Reply::Estimated {
                estimate: estimate::of_comparison(self, &name).await?,
            },
            Request::EstimateVectors { connection } => Reply::Estimated {
                estimate: estimate::of_vectors(self, connection).await?,
            },
            Request::RouteByModel { text, history } => {
                let route = models::route(&self.engine, &text, history);
                self.while_wanted(out, route).await?
            }
            Request::RenameConversation { id, title } => {
                conversations::rename(self, id, &title).await?
            }
            Request::PinConversation { id, on } => {
                conversations::place(self, id, Some(on), None).await?
            }
            Request::ArchiveConversation { id, on } => {
                conversations::place(self, id, None, Some(on)).await?
            }
            Request::DeleteConversation { id } => conversations::delete(self, id).await?,
            Request::RestoreConversation { id } => conversations::restore(self, id).await?,
            Request::Import { paths } => import::import(self, &paths, out).await?,
            Request::Export { dir } => data::export(self, &dir).await?,
            Request::Erase {} => data::erase(self).await?,
            Request::Servers { request } => {
                let done = servers::act(self, request);
                self.while_wanted(out, done).await?
            }
            Request::Tools {} => Reply::Tools {
                tools: self.tools(),
            },
            Request::ConfigList {} => config::show(self, None).await?,
            Request::ConfigGet { key } => config::show(self, Some(&key)).await?,
            Request::ConfigSet { key, value } => config::set(self, &key, value.as_deref()).await?,
            Request::SecretSet { key, value } => config::set_secret(self, &key, value).await?,
            Request::Doctor {} => {
                let check = async { Ok(doctor::check(self).await) };
                self.while_wanted(out, check).await?
            }
            Request::RunDue {} => due::once(self).await,
            Request::StopJob { id } => due::stop(self, &JobId(id)).await?,
            Request::Status {} => due::status(self).await?,
            Request::Scoreboard {} => self.run_scoreboard().await?,
            Request::Timings {} => Reply::Timings {
                stages: adjutant_observe::live()
                    .read()
                    .iter()
                    .map(scoreboard::stage)
                    .collect(),
            },
            Request::Models {} => models::show(&self.models).await,
            Request::FindModels {} => {
                let find = async { Ok(models::find(&self.models).await) };
                self.while_wanted(out, find).await?
            }
            Request::ListModels { connection, key } => {
                let list = models::list(&self.models, connection, key);
                self.while_wanted(out, list).await?
            }
            Request::ConnectModel { connection, key } => {
                models::connect(&self.models, connection, key).await?
            }
            Request::ModelFiles {} => models::files(self),
            Request::OfferModelFile { what, sha256 } => {
                let offered = models::offered(self, &what, sha256.as_deref());
                self.while_wanted(out, offered).await?
            }
            Request::FetchModelFile {
                what,
                sha256,
                agreed,
            } => models::fetch(self, &what, sha256.as_deref(), &agreed, out).await?,
            Request::StopModelFile {} => models::stop(self),
            Request::DisconnectModel { name } => models::disconnect(&self.models, &name).await?,
            Request::PreferModel { name } => models::prefer(&self.models, &name).await?,
            Request::Comparisons {} => models::comparisons(&self.store).await?,
            Request::TestModel { name, tier } => {
                let test = models::test(&self.models, &name, tier.as_deref());
                self.while_wanted(out, test).await?
            }
            Request::AccountKinds {} => accounts::offered(),
            Request::AddAccount {
                kind,
                label,
                settings,
                secrets,
                sign_in,
            } => {
                let signed_in = accounts::until_signed_in(self, sign_in.as_deref(), None);
                let signed_in = self.while_wanted(out, signed_in).await?;
                accounts::add(self, kind, label, settings, secrets, signed_in).await?
            }
            Request::BeginSignIn {
                kind,
                account,
                settings,
                secrets,
            } => accounts::begin_sign_in(self, kind, account, settings, secrets).await?,
            Request::CancelSignIn { id } => {
                self.accounts.cancel_sign_in(&id);
                self.servers.cancel_sign_in(&id);
                Reply::Ok {}
            }
            Request::ChangeAccount {
                id,
                label,
                settings,
                secrets,
                on,
                sign_in,
            } => {
                let signed_in = accounts::until_signed_in(self, sign_in.as_deref(), Some(&id));
                let signed_in = self.while_wanted(out, signed_in).await?;
                let change = accounts::changed(label, settings, secrets, on, signed_in);
                accounts::change(self, id, change).await?
            }
            Request::SyncAccounts { id, glance } => accounts::sync(self, id, glance, out).await?,
            Request::RemoveAccount { id, keep } => accounts::remove(self, id, keep).await?,
            Request::PreferCollection { kind, id } => accounts::prefer(self, kind, id).await?,
            Request::Programs { request } => programs::answer(self, request).await?,
            Request::Research { act } => research::reply(self, act, out).await?,
            Request::LoadSample {} => data::load_sample(self).await?,
        };
        out.reply(reply).await;
        Ok(())
    }

    /// Runs work that writes nothing. Stops when the requester disconnects or the profile closes.
    async fn while_wanted<T>(
        &self,
        out: &Sink,
        work: impl Future<Output = Result<T, Fault>>,
    ) -> Result<T, Fault> {
        tokio::select! {
            done = work => done,
            () = self.stop.cancelled() => Err(stopped()),
            () = out.closed() => Err(stopped()),
        }
    }

    /// Searches everything. Lists records whose title begins with the words first, which suits searching while typing.
    async fn search(&self, text: &str, limit: usize) -> Result<Reply, Fault> {
        let limit = limit.min(HITS_MAX);
        let titles = self.store.beginnings(text, TITLES_EACH.min(limit)).await;
        let mut hits = titles.map_err(store_fault)?;
        let found = self.store.search(text, &[], limit).await;
        for hit in found.map_err(store_fault)? {
            if !hits.iter().any(|one| one.id == hit.id) {
                hits.push(hit);
            }
        }
        let records = hits.into_iter().map(|hit| adjutant_api::reply::Hit {
            topic: topic_word(Topic::Records(hit.kind)).into(),
            id: hit.id.0,
            title: hit.title,
            snippet: hit.snippet,
        });
        let talked = conversations::hits(self, text, TITLES_EACH.min(limit)).await?;
        let left = limit - talked.len();
        let hits = records.take(left).chain(talked).collect();
        Ok(Reply::Hits { hits })
    }

    async fn run_scoreboard(&self) -> Result<Reply, Fault> {
        let Ok(_alone) = self.scoring.try_lock() else {
            return Err(Fault {
                code: "busy".into(),
                message: "The scoreboard is already running.".into(),
                hint: "Wait for its result.".into(),
            });
        };
        let scoreboard = scoreboard::run().await?;
        Ok(Reply::Scoreboard { scoreboard })
    }

    async fn explain(
        &self,
        conversation: &str,
        text: &str,
        tier: Option<Tier>,
    ) -> Result<Reply, Fault> {
        let (route, reading) = self
            .engine
            .explain(&ConversationId(conversation.to_owned()), text)
            .await
            .map_err(|fault| user_fault(&fault))?;
        let estimate = estimate::of_message(self, conversation, text, tier).await?;
        Ok(Reply::Explained {
            reading: adjutant_api::reply::Explained {
                estimate,
                ..convert::turns::explained(text, &route, &reading)
            },
        })
    }

    async fn glance(&self, text: &str) -> Result<Reply, Fault> {
        let answer = self.engine.glance(text).await;
        let answer = answer.map_err(|fault| user_fault(&fault))?;
        Ok(Reply::Glanced {
            glance: answer.map(convert::turns::glance),
        })
    }

    fn tools(&self) -> Vec<ToolView> {
        self.engine
            .toolbox()
            .catalog()
            .specs()
            .iter()
            .map(|spec| ToolView {
                name: spec.name.clone(),
                description: spec.description.clone(),
                schema: (*spec.schema).clone(),
                risk: spec.risk.into(),
            })
            .collect()
    }
}

/// Returns the fault for work that nobody waits for any more.
fn stopped() -> Fault {
    Fault {
        code: "stopped".into(),
        message: "It was stopped.".into(),
        hint: "Start it again if you still want it.".into(),
    }
}
