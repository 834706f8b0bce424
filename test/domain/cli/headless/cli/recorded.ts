/** A run, in a line: what happened, its answers (or how long they are), its tokens, and why it has no proper end. */
export type Expected = readonly [
  shape: string,
  answers: ReadonlyArray<string | number>,
  tokens: readonly [input: number, cacheRead: number, cacheWrite: number, output: number] | null,
  trouble?: string
]

/** What there is in each recorded run. */
export const expected: Readonly<Record<string, Readonly<Record<string, Expected>>>> = {
  claude: {
    "single-turn": ["started, text, used, answered", ["Hello from the fake model."], [12, 15000, 850, 7]],
    "partial-messages": [
      "started, …, used, used, answered",
      ["Hello, in parts, from the fake model."],
      [12, 15000, 850, 10]
    ],
    "tool-use": ["started, thought, text, Bash(ls), ok, text, used, answered", ["Two files."], [24, 30000, 1700, 9]],
    "tool-denied": [
      "started, Bash(mkdir refused-folder), Bash refused, not ok, text, used, answered",
      ["I was not allowed."],
      [24, 30000, 1700, 6]
    ],
    "ask-user-question": [
      "started, AskUserQuestion(Which one?), not ok, text, used, answered",
      ["No answer came."],
      [24, 30000, 1700, 5]
    ],
    resume: ["started, text, used, answered", ["It was hello."], [12, 15000, 850, 4]],
    continue: ["started, text, used, answered", ["It was hello again."], [12, 15000, 850, 5]],
    "resume-fork": ["started, text, used, answered", ["Forked."], [12, 15000, 850, 2]],
    "resume-unknown": ["used, failed: session", [], [0, 0, 0, 0], "session"],
    "resume-other-cwd": ["started, text, used, answered", ["From elsewhere."], [12, 15000, 850, 4]],
    "continue-other-cwd": ["started, text, used, answered", ["OK."], [12, 15000, 850, 1]],
    "error-400": ["started, used, failed: other", [], [0, 0, 0, 0], "other"],
    "retry-401-killed": [
      "started, retry 1 of 10: auth, retry 2 of 10: auth, retry 3 of 10: auth, retry 4 of 10: auth",
      [],
      null,
      "cut"
    ],
    "retry-500": [
      "started, retry 1 of 10: overloaded, retry 2 of 10: overloaded, text, used, answered",
      ["After two retries."],
      [12, 15000, 850, 5]
    ],
    "max-turns": ["started, Bash(ls), ok, Bash(ls), ok, used, failed: other", [], [24, 30000, 1700, 2], "other"],
    sigint: ["", [], null, "cut"],
    "stream-input": ["started, text, used, answered, text, used, answered", ["One.", "Two."], [24, 30000, 1700, 2]],
    subagent: [
      "started, Agent(Count), ok, text, used, text of general-purpose, text, used, answered, used, answered",
      ["The agent works.", "The agent is done."],
      [48, 60000, 3400, 11]
    ],
    "background-bash": [
      "started, Bash(sleep 4; echo bg), ok, text, used, answered, text, used, answered",
      ["It runs in the background.", "It is done."],
      [36, 45000, 2550, 11]
    ],
    "hook-events": ["started, text, used, answered", ["With hooks."], [12, 15000, 850, 3]]
  },
  codex: {
    single: ["started, text, used, answered", ["Hello! How can I help?"], [526, 1024, 0, 80]],
    resume: ["started, text, used, answered", ["Hello again."], [1402, 2048, 0, 160]],
    "resume-flag-first": ["started, text, used, answered", ["Hello a third time."], [2628, 3072, 0, 240]],
    "resume-last": ["started, text, used, answered", ["Hello a fourth time."], [4204, 4096, 0, 320]],
    "resume-other-cwd": [
      "started, command_execution(/bin/bash -lc pwd), ok, text, used, answered",
      ["Hello from elsewhere."],
      [8406, 6144, 0, 480]
    ],
    "resume-unknown": ["", [], null, "session"],
    tools: [
      "started, thought, text, command_execution(/bin/bash -lc 'ls; sleep 1'), ok, command_execution(/bin/bash -lc 'echo oops >&2; exit 3'), command_execution(/bin/bash -lc 'cat README.md'), ok, not ok, text, used, answered",
      ["There are two files."],
      [6506, 6144, 0, 280]
    ],
    patch: [
      "started, file_change(/home/dev/project/README.md, /home/dev/project/notes.txt), ok, text, used, answered",
      ["Changed."],
      [7702, 2048, 0, 160]
    ],
    "needs-approval": ["started, text, used, answered", ["I was not allowed to."], [9102, 2048, 0, 160]],
    "read-only-sandbox": [
      "started, command_execution(/bin/bash -lc 'touch inside.txt'), ok, text, used, answered",
      ["The sandbox refused."],
      [10502, 2048, 0, 160]
    ],
    "legacy-model-tools": [
      "started, command_execution(/bin/bash -lc ls), ok, text, used, answered",
      ["Two files."],
      [11902, 2048, 0, 160]
    ],
    "error-400": ["started, failed: other", [], null, "other"],
    "error-401": ["started, retry 1 of 2: auth, retry 2 of 2: auth, failed: auth", [], null, "auth"],
    "error-500-retried": ["started, text, used, answered", ["Finally."], [8226, 1024, 0, 80]],
    "error-500-fatal": [
      "started, retry 1 of 2: overloaded, retry 2 of 2: overloaded, failed: overloaded",
      [],
      null,
      "overloaded"
    ],
    "error-stream-cut": ["started, retry 1 of 2: other, text, used, answered", ["Reconnected."], [12076, 1024, 0, 80]],
    "error-context": ["started, text, failed: context", ["Half"], null, "context"],
    "interrupted-sigint": ["started, command_execution(/bin/bash -lc 'sleep 30')", [], null, "cut"],
    "interrupted-sigterm": ["started, command_execution(/bin/bash -lc 'sleep 30')", [], null, "cut"],
    "stdin-prompt": ["started, text, used, answered", ["I read the prompt from stdin."], [13476, 1024, 0, 80]],
    ephemeral: ["started, text, used, answered", ["Hello, leaving no trace."], [13826, 1024, 0, 80]],
    unicode: ["started, text, used, answered", ["Grüße 🎉 日本語"], [14176, 1024, 0, 80]],
    "outside-git": ["", [], null, "other"]
  },
  gemini: {
    thoughts: ["started, …, used, answered", ["Decided."], [2324, 4096, 0, 270]],
    "tool-use": ["started, …, run_shell_command(ls), ok, …, used, answered", ["Two files."], [5068, 8192, 0, 120]],
    "tool-denied": [
      "started, run_shell_command(touch x), run_shell_command refused, not ok, …, used, answered",
      ["I was not allowed to."],
      [5068, 8192, 0, 120]
    ],
    "tool-error": [
      "started, read_file(/home/dev/project/none.txt), not ok, …, used, answered",
      ["There is no such file."],
      [5068, 8192, 0, 120]
    ],
    edit: ["started, write_file(/home/dev/project/n.md), ok, …, used, answered", ["Written."], [5068, 8192, 0, 120]],
    "ask-user": [
      "started, ask_user(Which database?), ask_user refused, not ok, …, used, answered",
      ["No question then."],
      [5068, 8192, 0, 120]
    ],
    "error-400": ["started, used, failed: other", [], [0, 0, 0, 0], "other"],
    "error-401": ["started, used, failed: auth", [], [0, 0, 0, 0], "auth"],
    "retry-500": ["started, …, used, answered", ["It worked in the end."], [2744, 4096, 0, 60]],
    "retry-429": ["started, …, used, answered", ["It worked after the wait."], [2744, 4096, 0, 60]],
    "resume-latest": ["started, …, used, answered", ["Going on."], [2324, 4096, 0, 60]],
    "resume-index": ["started, …, used, answered", ["Going on by index."], [2324, 4096, 0, 60]],
    "resume-id-other-cwd": ["", [], null, "session"],
    "resume-latest-other-cwd": ["started, …, used, answered", ["Going on elsewhere."], [2324, 4096, 0, 60]],
    "resume-unknown": ["", [], null, "session"],
    "session-id-flag": ["started, …, used, answered", ["Named."], [2324, 4096, 0, 60]],
    "session-id-taken": ["", [], null, "session"],
    "stdin-prompt": ["started, …, used, answered", ["Hello, stdin."], [2324, 4096, 0, 60]],
    "stdin-and-prompt": ["started, …, used, answered", ["A summary."], [2324, 4096, 0, 60]],
    "bad-flag": ["", [], null, "other"],
    "empty-prompt": ["", [], null, "other"],
    untrusted: ["", [], null, "other"],
    "cut-midstream": ["started, …, used, failed: other", [90], [0, 0, 0, 0], "other"],
    "single-turn": ["started, …, used, answered", ["Hello from the model, in a few pieces."], [2324, 4096, 0, 60]],
    "resume-id": ["started, …, used, answered", ["Going on by id."], [2324, 4096, 0, 60]],
    sigint: ["started, …, used, answered", [2571], [2324, 4096, 0, 60]],
    sigterm: ["started, …, used, answered", [2571], [2324, 4096, 0, 60]],
    "sigint-group": ["started, …", [132], null, "cut"],
    "sigterm-group": ["started, …", [132], null, "cut"],
    "sigint-norelaunch": ["started, …", [156], null, "cut"],
    "sigterm-norelaunch": ["started, …", [132], null, "cut"]
  },
  copilot: {
    thinking: ["started, thought…, …, answered", ["Decided."], null],
    "tool-use": ["started, …, bash(ls), ok, …, answered", ["Two files."], null],
    "tool-denied": ["started, bash(touch x), bash refused, not ok, …, answered", ["I was not allowed to."], null],
    "tool-error": ["started, view(/home/dev/project/none.txt), not ok, …, answered", ["There is no such file."], null],
    edit: ["started, apply_patch(), ok, …, answered", ["Written."], null],
    "ask-user": ["started, ask_user(), not ok, …, answered", ["No question then."], null],
    "error-400": ["started, failed: other", [], null, "other"],
    "error-401": ["started, retry 1 of ?: auth, retry 2 of ?: auth, failed: auth", [], null, "auth"],
    "retry-500": ["started, retry 1 of ?: overloaded, …, answered", ["It worked in the end."], null],
    "retry-429": ["started, retry 1 of ?: rate_limited, …, answered", ["It worked after the wait."], null],
    continue: ["started, …, answered", ["Going on."], null],
    "resume-id": ["started, …, answered", ["Going on by id."], null],
    "resume-id-other-cwd": ["started, …, answered", ["Going on elsewhere."], null],
    "continue-other-cwd": ["started, …, answered", ["Going on elsewhere."], null],
    "resume-unknown": ["", [], null, "session"],
    "session-id-flag": ["started, …, answered", ["Named."], null],
    "stdin-prompt": ["started, …, answered", ["Hello, stdin."], null],
    sigint: ["started, …, answered", [2571], null],
    sigterm: ["started, …, answered", [2571], null],
    "bad-flag": ["", [], null, "other"],
    "not-signed-in": ["", [], null, "auth"],
    "completions-api": ["started, …, answered", ["Over chat completions."], null],
    "usage-file": ["started, …, answered", ["With a usage file."], null],
    "single-turn": ["started, …, answered", ["Hello from the model, in a few pieces."], null],
    "sigint-group": ["started, …", [156], null, "cut"],
    "sigterm-group": ["started, …", [156], null, "cut"]
  },
  opencode: {
    single: ["started, text, used, answered", ["Hello! How can I help?"], [904, 4096, 0, 50]],
    resume: ["started, text, used, answered", ["Hello again."], [1226, 1024, 0, 80]],
    tools: [
      "started, text, read(/home/dev/project/app.js), ok, bash(ls; sleep 1), ok, used, bash(echo oops >&2; exit 3), not ok, used, edit(/home/dev/project/README.md), ok, used, text, used, answered",
      ["There are two files."],
      [9804, 4096, 0, 320]
    ],
    "error-400": ["started, failed: other", [], null, "other"],
    "permission-asked": ["started, bash(touch made.txt), bash refused, not ok, used", [], [4376, 1024, 0, 80]],
    "resume-other-cwd": ["", [], null, "cut"],
    "resume-other-cwd-dir": [
      "started, bash(pwd), ok, used, text, used, answered",
      ["Hello from elsewhere."],
      [4202, 2048, 0, 160]
    ],
    continue: ["started, text, used, answered", ["Going on."], [5426, 1024, 0, 80]],
    "error-500-retried": ["started, text, used, answered", ["Finally."], [6476, 1024, 0, 80]],
    reasoning: ["started, thought, text, used, answered", ["The first one."], [7176, 1024, 0, 80]],
    "resume-unknown": ["", [], null, "session"],
    "interrupted-sigint": ["started", [], null, "cut"],
    "question-tool": ["started, question(), not ok, used, text, used, answered", ["Done."], [17502, 2048, 0, 160]],
    "error-stream-cut": ["started, text, used, answered", ["Reconnected."], [9976, 1024, 0, 80]]
  }
}
