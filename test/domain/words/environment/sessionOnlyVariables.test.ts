import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { execFileSync } from "node:child_process"
import { withoutSessionOnlyVariables } from "../../../../src/domain/words/environment/sessionOnlyVariables.ts"
import { builtin } from "../../../support/providers.ts"

const valued = (names: ReadonlyArray<string>) => Object.fromEntries(names.map((name) => [name, "1"]))

// the environment of a hook, as git 2.39 makes it for a commit with another author
const hook = {
  GIT_AUTHOR_DATE: "@1795646834 +0000",
  GIT_AUTHOR_EMAIL: "o@x",
  GIT_AUTHOR_NAME: "Other",
  GIT_CONFIG_PARAMETERS: "'user.name'='a'",
  GIT_DIR: "/r/.git/worktrees/wt",
  GIT_EDITOR: ":",
  GIT_EXEC_PATH: "/usr/lib/git-core",
  GIT_INDEX_FILE: "/r/.git/worktrees/wt/index",
  GIT_PREFIX: ""
}
const rebase = {
  GIT_CHERRY_PICK_HELP: "Resolve all conflicts manually",
  GIT_EXEC_PATH: "/usr/lib/git-core",
  GIT_PREFIX: "",
  GIT_REFLOG_ACTION: "rebase",
  GIT_SEQUENCE_EDITOR: ":"
}
const script = {
  INIT_CWD: "/r",
  npm_command: "run-script",
  npm_config_local_prefix: "/r",
  npm_execpath: "/npm-cli.js",
  npm_lifecycle_event: "x",
  npm_package_json: "/r/package.json"
}

describe("what a session is not given of its start's moment", () => {
  it("what git itself calls local to a repository", () => {
    const names = execFileSync("git", ["rev-parse", "--local-env-vars"], { encoding: "utf8" }).trim().split("\n")
    assert.isAbove(names.length, 10)
    assert.deepStrictEqual(withoutSessionOnlyVariables(valued(names)), {})
  })

  it.each<readonly [what: string, env: Readonly<Record<string, string>>]>([
    ["a git hook", hook],
    ["a rebase", rebase],
    ["settings for one command", valued(["GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0"])],
    ["a script of a package", script],
    ["make", { MAKEFLAGS: " --jobserver-auth=3,4", MAKELEVEL: "1", MFLAGS: "-j" }],
    ["a unit of systemd", valued(["INVOCATION_ID", "JOURNAL_STREAM", "NOTIFY_SOCKET", "LISTEN_FDS"])],
    ["direnv", valued(["DIRENV_DIR", "DIRENV_DIFF", "DIRENV_FILE", "DIRENV_WATCHES", "OLDPWD"])],
    [
      "an editor's terminal",
      valued(["VSCODE_GIT_IPC_HANDLE", "VSCODE_IPC_HOOK_CLI", "GIT_ASKPASS", "SSH_ASKPASS", "NVIM"])
    ],
    [
      "an editor's debugger",
      {
        ...valued(["VSCODE_INSPECTOR_OPTIONS", "VSCODE_DEBUGPY_ADAPTER_ENDPOINTS", "JB_IDE_HOST", "JB_IDE_PORT"]),
        NODE_DEBUG_OPTION: "--inspect-brk=127.0.0.1:4000",
        NODE_OPTIONS: " --require /s/ms-vscode.js-debug/bootloader.js  --inspect-publish-uid=http",
        JAVA_TOOL_OPTIONS: "-agentlib:jdwp=transport=dt_socket,server=n,address=localhost:5005"
      }
    ],
    [
      "debuggers of other runtimes",
      {
        ...valued([
          "DEBUGPY_RUNNING",
          "BUN_INSPECT",
          "BUN_INSPECT_NOTIFY",
          "BUNDLED_DEBUGPY_PATH",
          "PYDEVD_LOAD_VALUES_ASYNC"
        ]),
        ...valued(["IDE_PROCESS_DISPATCHER", "RUBY_DEBUG_SOCK_PATH", "DOTNET_WATCH", "DOTNET_STARTUP_HOOKS"]),
        _JAVA_OPTIONS: "-javaagent:/ide/lib/debugger-agent.jar=file:/tmp/capture.props",
        GRADLE_OPTS: "-agentlib:jdwp=transport=dt_socket,server=n,address=5005",
        MAVEN_OPTS: "-agentlib:jdwp=transport=dt_socket,server=n,address=5006",
        BUN_OPTIONS: "--inspect-wait=unix:///tmp/b.sock",
        PYTHONPATH: "/ide/plugins/python-ce/helpers/pydev:/ide/plugins/python-ce/helpers/pycharm_display",
        RUBYOPT: "-r/gems/debug-1.9.2/lib/debug/start_nonstop"
      }
    ],
    ["Neovim's terminal", valued(["NVIM", "VIM", "VIMRUNTIME", "MYVIMRC"])],
    ["Zed's", valued(["ZED_TERM", "ZED_WORKTREE_ROOT"])],
    ["an editor that is an AppImage", valued(["APPDIR", "APPIMAGE", "ARGV0", "OWD"])],
    [
      "bundle exec",
      { ...valued(["BUNDLE_BIN_PATH", "BUNDLE_GEMFILE", "BUNDLER_VERSION"]), RUBYOPT: "-rbundler/setup" }
    ],
    ["a run that measures its tests", valued(["NODE_V8_COVERAGE", "NYC_CONFIG"])],
    ["an outer session", valued(["LEAP_TAG", "LEAP_SIGNAL_DIR", "LEAP_CLI_PROVIDER", "LEAP_HOST_X"])]
  ])("of %s", (_, env) => {
    assert.deepStrictEqual(withoutSessionOnlyVariables({ ...env, HOME: "/home/u", PATH: "/bin" }), {
      HOME: "/home/u",
      PATH: "/bin"
    })
  })

  it.each<readonly [given: string, left: string]>([
    ['--require "/a b/ms-vscode.js-debug/src/bootloader.js" --max-old-space-size=4096', "--max-old-space-size=4096"],
    ['--no-warnings --require "/s/ms-vscode.js-debug-nightly-2020.6.417/src/bootloader.bundle.js"', "--no-warnings"],
    ["-r /ide/plugins/javascript-debugger/debugConnector.js -r ./own.js", "-r ./own.js"],
    ['--import "file:///ide/debug-connector.mjs" --import=./own.mjs', "--import=./own.mjs"],
    ["--require=/s/ms-vscode.js-debug/bootloader.js --inspect=0 --trace-exit", "--trace-exit"],
    ['--require "/own dir/bootloader.js"  --conditions  x', '--require "/own dir/bootloader.js"  --conditions  x'],
    ['--require /r/.pnp.cjs --experimental-loader "file:///r/.pnp.loader.mjs" --no-warnings', "--no-warnings"],
    ["--require", "--require"]
  ])("of NODE_OPTIONS=%s only what is a debugger's", (given, left) => {
    assert.deepStrictEqual(withoutSessionOnlyVariables({ NODE_OPTIONS: given }), { NODE_OPTIONS: left })
  })

  it("and what the user has set for good stays", () => {
    const env = {
      BUNDLE_GEMFILE: "/r/Gemfile",
      CARGO_HOME: "/c",
      DOTNET_STARTUP_HOOKS: "/own/hook.dll",
      GIT_ASKPASS: "/usr/bin/ksshaskpass",
      GIT_AUTHOR_EMAIL: "me@x",
      GIT_AUTHOR_NAME: "Me",
      GIT_EDITOR: "vim",
      GIT_SSH_COMMAND: "ssh -i key",
      GIT_SSL_CAINFO: "/certs",
      HUSKY: "0",
      LEAP_HOME: "/l",
      MAKEFLAGS: "-j8",
      MAVEN_OPTS: "-Xmx2g -Dstyle.color=always",
      MYVIMRC: "/own/vimrc",
      PYTHONPATH: "/own/lib::/other/helpers",
      RUBYOPT: "-W:no-deprecated -rown/debugging",
      JAVA_TOOL_OPTIONS: "-Xmx2g -javaagent:/own/telemetry.jar",
      SSH_AUTH_SOCK: "/agent",
      VIRTUAL_ENV: "/v",
      npm_config_registry: "https://mirror.example"
    }
    assert.deepStrictEqual(withoutSessionOnlyVariables(env), env)
  })

  it("what tells that it runs inside another CLI, of all that leap knows", () => {
    const inside = builtin.flatMap((provider) => provider.inside)
    for (const name of ["CLAUDECODE", "CODEX_THREAD_ID", "GEMINI_CLI", "OPENCODE", "CURSOR_AGENT"])
      assert.include(inside, name)
    assert.deepStrictEqual(withoutSessionOnlyVariables({ ...valued(inside), CLAUDE_CONFIG_DIR: "/c" }, inside), {
      CLAUDE_CONFIG_DIR: "/c"
    })
  })

  it.prop("nothing is added or changed", [Schema.Record(Schema.String, Schema.String)], ([env]) => {
    for (const [name, value] of Object.entries(withoutSessionOnlyVariables(env))) assert.strictEqual(env[name], value)
  })
})
