// An independent model server for src-tauri/crates/models/tests/providers/conformance.rs. Prints one line when it
// listens, and exits when its standard input closes, so that it never outlives the test.
import { LLMock } from "@copilotkit/aimock";

// The reply depends only on the request and is the same for every provider. The server splits texts into pieces of
// three UTF-16 units, even in the middle of characters.
const peer = new LLMock({ port: 0, chunkSize: 3, logLevel: "silent" });

const GREETING = "Hello from the peer: grüße, 漢字, 🦀🦀🦀.";
const PLAN = { request: "water the plants", steps: [], question: null };
const usage = { prompt_tokens: 21, completion_tokens: 12, total_tokens: 33, input_tokens: 21, output_tokens: 12 };

peer.addFixturesFromJSON([
  { match: { userMessage: "say hello" }, response: { content: GREETING } },
  { match: { userMessage: "count it" }, response: { content: GREETING, usage } },
  { match: { userMessage: "think first" }, response: { content: "Four.", reasoning: "Two and two." } },
  { match: { userMessage: "stop early" }, response: { content: "Once upon", finishReason: "length" } },
  {
    match: { userMessage: "use tools" },
    response: {
      toolCalls: [
        { name: "task_list", arguments: { status: "open", text: "🦀 grüße 🦀🦀" } },
        { name: "task_create", arguments: { title: "water \"the\" plants" } },
      ],
    },
  },
  {
    match: { userMessage: "say and use" },
    response: { content: "I look.", toolCalls: [{ name: "task_list", arguments: {} }] },
  },
  // Anthropic's structured output is a tool with the stage's name.
  {
    match: { userMessage: "plan it", toolName: "plan" },
    response: { toolCalls: [{ name: "plan", arguments: PLAN }] },
  },
  { match: { userMessage: "plan it" }, response: { content: JSON.stringify(PLAN) } },
  {
    match: { userMessage: "cut short" },
    response: { content: GREETING.repeat(4) },
    truncateAfterChunks: 3,
  },
  {
    match: { userMessage: "hang up" },
    response: { content: GREETING.repeat(40) },
    latency: 10,
    disconnectAfterMs: 120,
  },
  { match: { userMessage: "be silent" }, response: { content: GREETING }, latency: 20000 },
  { match: { userMessage: "be slow" }, response: { content: GREETING }, streamingProfile: { ttft: 200, tps: 50 } },
  { match: { userMessage: "be garbled" }, response: { content: GREETING }, chaos: { malformedRate: 1 } },
  { match: { userMessage: "be dropped" }, response: { content: GREETING }, chaos: { dropRate: 1 } },
  { match: { userMessage: "disconnect" }, response: { content: GREETING }, chaos: { disconnectRate: 1 } },
  { match: { userMessage: "be limited" }, response: { content: GREETING }, chaos: { rateLimitRate: 1 } },
  ...[400, 401, 403, 404, 429, 500, 502, 503, 529].map((status) => ({
    match: { userMessage: `fail ${status}` },
    response: {
      error: { message: `the peer says ${status}`, type: "peer_error" },
      status,
    },
  })),
  {
    match: { userMessage: "too long" },
    response: {
      error: {
        message: "This model's maximum context length is 8192 tokens.",
        type: "invalid_request_error",
        code: "context_length_exceeded",
      },
      status: 400,
    },
  },
  { match: { inputText: "one vector" }, response: { embedding: [0.25, -0.5, 1] } },
]);

await peer.start();
process.stdout.write(`ready ${peer.url}\n`);
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
