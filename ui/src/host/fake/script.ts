import type { Id } from '../wire';
import { approval, batchArgs, batchCard, mailArgs, mailCard, mailSources } from './cards';
import { finished, line, modelContext, routed, step } from './journal';
import type { World } from './world';

/** Who answers when a model does. */
const MODEL = 'llama3.2:3b';
/** Between tokens, about as fast as people read. */
const TOKEN_MS = 24;

async function stream(world: World, conversation: Id, turn: Id, text: string): Promise<void> {
  for (const token of text.match(/\S+\s*/g) ?? []) {
    await world.pause(TOKEN_MS);
    world.say(conversation, turn, { event: 'token', text: token });
  }
}

/** One scripted turn, chosen by a word in the message: remind, mail, delete, which, slow, fail; anything else is answered. */
export async function play(world: World, conversation: Id, turn: Id, text: string): Promise<void> {
  const say = (said: Parameters<World['say']>[2]) => world.say(conversation, turn, said);
  say({ event: 'turn_started', text });
  await world.pause(60);
  if (/remind/i.test(text)) {
    say(routed('action', ['task']));
    say({
      event: 'plan',
      id: turn,
      request: 'Remind you to call the bank, Wed 14 Jan, 09:00.',
      steps: [step('remind', 'Set the reminder', 'task.create')],
    });
    say({ event: 'tool_call', step: 'remind', tool: 'task.create', args: {} });
    const said = 'Reminder “Call the bank”, Wed 14 Jan, 09:00';
    const { receipt } = world.create('task.create', { title: 'Call the bank', due: '2026-01-14T09:00:00-05:00' }, said);
    say({ event: 'tool_result', step: 'remind', ok: true, receipt });
    say(
      finished('The reminder is set for tomorrow, 09:00.', ['task.create'], 8, [line('remind', 'task.create', said)]),
    );
  } else if (/mail|delete/i.test(text)) {
    const mail = /mail/i.test(text);
    const tool = mail ? 'email.reply' : 'task.delete';
    say(routed('action', [mail ? 'email' : 'task']));
    say({
      event: 'plan',
      id: turn,
      request: text,
      steps: [step('do', mail ? 'Answer Hannah' : 'Delete old tasks', tool)],
    });
    const made = approval(world.fresh('a'), tool, mail ? mailCard : batchCard, world.now(), {
      conversation,
      turn,
      args: mail ? mailArgs : batchArgs,
      sources: mail ? mailSources : [],
    });
    world.ask(made);
    const answer = mail ? 'The reply is ready. Nothing has been sent.' : 'Nothing is deleted yet.';
    say({ event: 'waiting', answer, approvals: [made.id], questions: [], results: [line('do', tool, '', 'waiting')] });
  } else if (/which|ana\b/i.test(text)) {
    say({
      event: 'question',
      id: world.fresh('q'),
      step: 'who',
      text: 'Which Ana?',
      choices: [
        { label: 'Ana Ruiz, Northwind', value: 'c1' },
        { label: 'Ana Keller, family', value: 'c2' },
      ],
    });
    say({ event: 'waiting', answer: '', approvals: [], questions: ['q'], results: [] });
  } else if (/explain/i.test(text)) {
    say({ event: 'routed', type: 'chat', domains: [], is_followup: false, confidence: 0.91, by: MODEL });
    say({ event: 'context', sections: modelContext });
    say({ event: 'status', text: 'Asking gpt-large' });
    await world.pause(200);
    // The first model gives up half way; the next one begins again.
    await stream(world, conversation, turn, 'The lease **ends on the');
    for (const thought of [
      'The person asks about the lease. ',
      'Two years from 1 March ',
      'is until 28 February 2028.',
    ]) {
      await world.pause(60);
      say({ event: 'thinking', text: thought });
    }
    say({ event: 'token', text: 'The lease ', restart: true });
    const answer =
      'The lease **ends on 28 February 2028**:\n\n| what | when |\n| --- | --- |\n| begins | 1 March 2026 |\n| ends | 28 February 2028 |\n\nRenewing takes `six weeks`.';
    await stream(world, conversation, turn, answer.slice('The lease '.length));
    const end = finished(answer, [], 2140);
    say({ ...end, usage: { input: 1240, output: 86, cost_micros: 2130 } } as typeof end);
  } else if (/slow/i.test(text)) {
    say({ event: 'status', text: 'Reading 4,000 messages' });
    await world.pause(15_000);
    say(finished('Nothing about that in your mail.', ['email.search'], 15_000));
  } else if (/fail/i.test(text)) {
    await world.pause(300);
    say({
      event: 'error',
      code: 'broken',
      message: 'The mail archive could not be read.',
      hint: 'Open Settings, Check and look what is missing.',
    });
  } else {
    say(routed('chat', []));
    say({ event: 'status', text: 'Looking at your calendar' });
    await world.pause(500);
    const answer =
      'You have **four things** left today:\n\n- 10:00 Pricing review, one hour\n- 11:30 Dentist, leave at 11:15\n- 13:00 Lunch with Ana\n- 16:00 Board pre-read\n\nThere is a free stretch from 13:30 to 16:00.';
    await stream(world, conversation, turn, answer);
    say(finished(answer, ['calendar.list'], 46, [], ['m-raj']));
  }
}
