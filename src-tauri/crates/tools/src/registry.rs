//! The registry: holds every tool by name, checks arguments against their types, and derives schemas from them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use adjutant_domain::canonical::NotCanonical;
use adjutant_domain::catalog::Catalog;
use adjutant_domain::faults::ToolFault;
use adjutant_domain::gate::{
    Approved, Assessment, Call, Card, CardNote, CarriesOut, NoteKind, Observed, PlannedCall, Risk,
};
use adjutant_domain::outcome::{Answer, Outcome, Stop};
use adjutant_domain::plan::Question;
use adjutant_domain::ports::{Calculator, Cx, Toolbox};
use adjutant_domain::route::Domain;
use adjutant_domain::source::Sources;
use adjutant_domain::tool::{AnyTool, ArgsSchema, Before, Definition, Icon, Tool, ToolSpec};
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize as _, Serialize};
use serde_json::Value;

use crate::effect::{self, Prepared};
use crate::providers::{NoAccounts, Providers};
use crate::{places, provenance};

/// Maximum bytes of the arguments of one call.
pub const ARGS_BYTES_MAX: usize = 1_000_000;

/// Maximum entries of a list in the arguments: twice the maximum rows of an answer.
const LIST_MAX: usize = 1_000;

/// All tools: those of this program, and those of servers, which come and go.
pub struct Registry {
    own: Vec<Arc<Entry>>,
    now: RwLock<Now>,
}

/// The tools at one moment.
struct Now {
    tools: BTreeMap<String, Arc<Entry>>,
    catalog: Arc<Catalog>,
}

impl Now {
    fn of(version: u64, all: Vec<Arc<Entry>>) -> Self {
        let specs = all.iter().map(|one| one.tool.spec().clone()).collect();
        let named = all
            .into_iter()
            .map(|one| (one.tool.spec().name.clone(), one));
        Self {
            tools: named.collect(),
            catalog: Arc::new(Catalog::new(version, specs)),
        }
    }
}

/// A tool, with its definition once a call has needed it.
struct Entry {
    tool: Arc<dyn AnyTool>,
    definition: OnceLock<Result<Definition, NotCanonical>>,
}

impl Entry {
    fn new(tool: Arc<dyn AnyTool>) -> Arc<Self> {
        Arc::new(Self {
            tool,
            definition: OnceLock::new(),
        })
    }

    /// Returns the tool's definition, computed once.
    ///
    /// # Errors
    /// Returns a fault if it cannot be hashed: an approval of such a call would be bound to nothing.
    fn definition(&self) -> Result<&Definition, ToolFault> {
        match self
            .definition
            .get_or_init(|| self.tool.spec().definition())
        {
            Ok(hash) => Ok(hash),
            Err(fault) => Err(ToolFault::Failed {
                what: format!(
                    "the description of {} cannot be read exactly ({fault})",
                    self.tool.spec().name
                ),
                hint: "Turn the tool off, or look for a newer version of it.".into(),
            }),
        }
    }
}

impl Registry {
    /// Returns the tools of this program, without accounts. The embedded engine supplies the calculator.
    #[must_use]
    pub fn new(calculator: Arc<dyn Calculator>) -> Self {
        Self::with_accounts(calculator, Arc::new(NoAccounts))
    }

    /// Returns the tools of this program, with accounts whose providers can be searched.
    #[must_use]
    pub fn with_accounts(calculator: Arc<dyn Calculator>, accounts: Arc<dyn Providers>) -> Self {
        Self::of(crate::all(calculator, accounts))
    }

    /// Returns a registry of these tools, in this order.
    #[must_use]
    pub fn of(tools: Vec<Arc<dyn AnyTool>>) -> Self {
        let own: Vec<Arc<Entry>> = tools.into_iter().map(Entry::new).collect();
        Self {
            now: RwLock::new(Now::of(1, own.clone())),
            own,
        }
    }

    /// Replaces the tools of servers. Drops any whose name a tool of this program has. If nothing changed, the
    /// catalogue keeps its version.
    pub fn set_foreign(&self, tools: Vec<Arc<dyn AnyTool>>) {
        let own: BTreeSet<&str> = self.own.iter().map(named).collect();
        let foreign = tools.into_iter().map(Entry::new);
        let foreign = foreign.filter(|one| !own.contains(named(one)));
        let all: Vec<Arc<Entry>> = self.own.iter().cloned().chain(foreign).collect();
        let mut now = self.now.write().unwrap_or_else(PoisonError::into_inner);
        let next = Now::of(now.catalog.version() + 1, all);
        if next.catalog.specs() == now.catalog.specs() {
            let catalog = Arc::clone(&now.catalog);
            *now = Now { catalog, ..next };
        } else {
            *now = next;
        }
    }

    fn entry(&self, name: &str) -> Result<Arc<Entry>, ToolFault> {
        let now = self.now.read().unwrap_or_else(PoisonError::into_inner);
        let found = now.tools.get(name).cloned();
        found.ok_or_else(|| ToolFault::UnknownTool {
            name: name.to_owned(),
        })
    }
}

fn named(entry: &Arc<Entry>) -> &str {
    &entry.tool.spec().name
}

#[async_trait]
impl Toolbox for Registry {
    fn catalog(&self) -> Arc<Catalog> {
        let now = self.now.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&now.catalog)
    }

    fn plan(&self, tool: &str, args: Value, sources: Sources) -> Result<PlannedCall, ToolFault> {
        let found = self.entry(tool)?;
        let args = without_nulls(args);
        found.tool.parse(&args)?;
        Ok(PlannedCall::parsed(
            tool.to_owned(),
            args,
            sources,
            found.definition()?.clone(),
        ))
    }

    async fn observe(&self, call: PlannedCall, cx: &Cx) -> Result<Observed, Stop> {
        let tool = Arc::clone(&self.entry(call.tool())?.tool);
        tool.observe(call, cx).await
    }

    async fn run(&self, call: &Approved<Call>, cx: &Cx) -> Result<Outcome, Stop> {
        let tool = Arc::clone(&self.entry(&call.get().tool)?.tool);
        tool.run(call, cx).await
    }
}

/// Drops nulls: a reference to a missing value resolves to `null`, which means "not given".
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(map) => map
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(key, value)| (key, without_nulls(value)))
            .collect(),
        Value::Array(list) => list.into_iter().map(without_nulls).collect(),
        other => other,
    }
}

/// Returns the number of entries of the longest list in a value.
fn longest_list(value: &Value) -> usize {
    match value {
        Value::Array(list) => {
            let inside = list.iter().map(longest_list).max().unwrap_or_default();
            inside.max(list.len())
        }
        Value::Object(map) => map.values().map(longest_list).max().unwrap_or_default(),
        _ => 0,
    }
}

/// A tool with its argument types erased.
struct Typed<T> {
    tool: T,
    spec: ToolSpec,
}

/// Makes a tool ready for the registry.
pub fn any<T: Tool>(tool: T) -> Arc<dyn AnyTool> {
    let mut spec = tool.spec();
    spec.schema = ArgsSchema::of::<T::Args>();
    Arc::new(Typed { tool, spec })
}

impl<T: Tool> Typed<T> {
    fn typed(&self, args: &Value) -> Result<T::Args, ToolFault> {
        // Serde would read a list as fields by position; only names are unambiguous.
        let nested = ["target", "changes"].map(|key| args.get(key));
        if !args.is_object() || nested.into_iter().flatten().any(|value| !value.is_object()) {
            return Err(ToolFault::BadArguments {
                reason: format!("{}: arguments are given by name.", self.spec.name),
            });
        }
        T::Args::deserialize(args).map_err(|error| ToolFault::BadArguments {
            reason: format!("{}: {error}", self.spec.name),
        })
    }
}

#[async_trait]
impl<T: Tool> AnyTool for Typed<T> {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn parse(&self, args: &Value) -> Result<(), ToolFault> {
        let size = args.to_string().len();
        if size > ARGS_BYTES_MAX {
            return Err(ToolFault::TooMuch {
                what: format!("The request has {size} bytes; {ARGS_BYTES_MAX} is the limit."),
                hint: "Put long text into a file and attach it.".into(),
            });
        }
        let longest = longest_list(args);
        if longest > LIST_MAX {
            return Err(ToolFault::TooMuch {
                what: format!(
                    "A list in the request has {longest} entries; {LIST_MAX} is the limit."
                ),
                hint: "Do it in several parts.".into(),
            });
        }
        self.typed(args).map(|_| ())
    }

    async fn observe(&self, call: PlannedCall, cx: &Cx) -> Result<Observed, Stop> {
        let args = self.typed(call.args())?;
        let before = self.tool.observe(&args, cx).await?;
        let assessment = self.tool.assess(&args, &before, cx);
        let card = Card {
            icon: self.spec.icon,
            ..self.tool.card(&args, &before, &call, cx)
        };
        Ok(Observed {
            call: call.acting_for(before.account.clone()),
            before,
            assessment,
            card,
        })
    }

    async fn run(&self, call: &Approved<Call>, cx: &Cx) -> Result<Outcome, Stop> {
        let args = self.typed(&call.get().args)?;
        self.tool.run(args, &call.get().before, call, cx).await
    }
}

/// A tool that only reads.
#[async_trait]
pub trait Reading: Send + Sync + 'static {
    /// Typed arguments.
    type Args: DeserializeOwned + Serialize + JsonSchema + Send + Sync;
    /// Returns name, domain, description and phrases.
    fn spec(&self) -> ToolSpec;
    /// Returns what the call sends to somebody else, if anything.
    fn carries_out(&self, _: &Self::Args) -> Option<CarriesOut> {
        None
    }
    /// Reads, and returns the answer.
    async fn read(&self, args: Self::Args, cx: &Cx) -> Result<Answer, Stop>;
}

/// A tool that changes something.
#[async_trait]
pub trait Acting: Send + Sync + 'static {
    /// Typed arguments.
    type Args: DeserializeOwned + Serialize + JsonSchema + Send + Sync;
    /// Returns name, domain, description and phrases.
    fn spec(&self) -> ToolSpec;
    /// Works out exactly what would happen.
    async fn prepare(&self, args: &Self::Args, cx: &Cx) -> Result<Prepared, Stop>;
    /// Makes a last adjustment that only the moment of running allows: memory sets foreign text aside.
    fn settle(
        &self,
        change: adjutant_domain::change::Change,
        answer: Answer,
        _call: &Call,
        _cx: &Cx,
    ) -> (adjutant_domain::change::Change, Answer) {
        (change, answer)
    }
}

/// Adapts a reading tool to [`Tool`].
pub struct Reads<T>(pub T);

#[async_trait]
impl<T: Reading> Tool for Reads<T> {
    type Args = T::Args;

    fn spec(&self) -> ToolSpec {
        self.0.spec()
    }

    async fn observe(&self, _: &Self::Args, _: &Cx) -> Result<Before, Stop> {
        Ok(Before::default())
    }

    fn assess(&self, args: &Self::Args, _: &Before, _: &Cx) -> Assessment {
        let carries_out = self.0.carries_out(args);
        carries_out.map_or_else(Assessment::read, Assessment::asks_outside)
    }

    fn card(&self, _: &Self::Args, _: &Before, _: &PlannedCall, _: &Cx) -> Card {
        Card {
            title: self.0.spec().description,
            verb: "Read".into(),
            undo: "Nothing is changed.".into(),
            ..Card::default()
        }
    }

    async fn run(
        &self,
        args: Self::Args,
        _: &Before,
        _: &Approved<Call>,
        cx: &Cx,
    ) -> Result<Outcome, Stop> {
        let mut answer = match self.0.read(args, cx).await {
            Ok(answer) => answer,
            Err(stop) => return Err(provenance::mark_question(stop.or_question(), cx).await),
        };
        provenance::mark(&mut answer, cx).await?;
        Ok(Outcome::Read(answer))
    }
}

/// Adapts an acting tool to [`Tool`].
pub struct Acts<T>(pub T);

impl<T: Acting> Acts<T> {
    /// Prepares the call for what comes closest to its description. The card says so, and the gate always asks.
    async fn prepare_guess(
        &self,
        args: &T::Args,
        guess: Question,
        cx: &Cx,
    ) -> Result<Prepared, Stop> {
        let Some(meant) = filled(args, &guess) else {
            let question = Stop::Closest(guess).or_question();
            return Err(provenance::mark_question(question, cx).await);
        };
        match self.0.prepare(&meant, cx).await {
            Ok(mut prepared) => {
                let note = CardNote {
                    kind: NoteKind::Warn,
                    text: guess.text,
                };
                prepared.sketch.notes.insert(0, note);
                prepared.assessment.guessed = true;
                Ok(prepared)
            }
            Err(stop) => Err(provenance::mark_question(stop.or_question(), cx).await),
        }
    }
}

/// Returns the arguments with the only choice of a question in its slot; `None` if that gives no arguments.
fn filled<A: DeserializeOwned + Serialize>(args: &A, guess: &Question) -> Option<A> {
    let [choice] = guess.choices.as_slice() else {
        return None;
    };
    let mut value = serde_json::to_value(args).ok()?;
    let slot = guess.slot.strip_prefix('/')?;
    value
        .as_object_mut()?
        .insert(slot.to_owned(), choice.value.clone());
    serde_json::from_value(value).ok()
}

#[async_trait]
impl<T: Acting> Tool for Acts<T> {
    type Args = T::Args;

    fn spec(&self) -> ToolSpec {
        self.0.spec()
    }

    async fn observe(&self, args: &Self::Args, cx: &Cx) -> Result<Before, Stop> {
        let mut prepared = match self.0.prepare(args, cx).await {
            Ok(prepared) => prepared,
            Err(Stop::Closest(guess)) => self.prepare_guess(args, guess, cx).await?,
            Err(stop) => return Err(provenance::mark_question(stop, cx).await),
        };
        provenance::mark_prepared(&mut prepared, cx).await?;
        provenance::mark_facts(&mut prepared, cx).await?;
        let account = places::settle(&mut prepared, cx).await?;
        let mut before = prepared.into_before()?;
        before.account = account;
        Ok(before)
    }

    fn assess(&self, _: &Self::Args, before: &Before, _: &Cx) -> Assessment {
        effect::assessment(before)
    }

    fn card(&self, _: &Self::Args, before: &Before, call: &PlannedCall, _: &Cx) -> Card {
        effect::card(before, call)
    }

    async fn run(
        &self,
        _: Self::Args,
        before: &Before,
        permit: &Approved<Call>,
        cx: &Cx,
    ) -> Result<Outcome, Stop> {
        effect::hand_out(before, |change, answer| {
            self.0.settle(change, answer, permit.get(), cx)
        })
    }
}

/// Returns a specification; [`any`] adds the schema.
#[must_use]
pub fn spec(
    name: &str,
    domain: Domain,
    risk: Risk,
    description: &str,
    phrases: &[&str],
) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        domain,
        server: None,
        description: description.to_owned(),
        risk,
        schema: ArgsSchema::default(),
        phrases: phrases.iter().map(|phrase| (*phrase).to_owned()).collect(),
        participle: participle(name).to_owned(),
        kept_by: None,
        icon: match (risk, domain) {
            (Risk::Destroys, _) => Icon::Delete,
            (_, Domain::Calendar) => Icon::Event,
            (_, Domain::Email) => Icon::Mail,
            _ => Icon::Usual,
        },
        judges: false,
        glances: false,
    }
}

/// Returns the participle for the verb at the end of a tool's name.
fn participle(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "delete" | "forget" => "deleted",
        "update" | "append" => "changed",
        "create" | "store" => "added",
        _ => "done",
    }
}
