import { syntaxOf } from "../../cli/provider/RepeatedArguments.ts"

export const claudeSyntax = syntaxOf({
  kept: {
    none: `--allow-dangerously-skip-permissions --ax-screen-reader --bare --brief --chrome
      --dangerously-skip-permissions --disable-slash-commands --exclude-dynamic-system-prompt-sections
      --forward-subagent-text --ide --include-hook-events --include-partial-messages --mcp-debug --no-chrome
      --no-session-persistence --replay-user-messages --restricted --safe-mode --strict-mcp-config --verbose`,
    one: `--agent --agents --append-system-prompt --append-system-prompt-file --autocompact --debug-file --effort
      --fallback-model --input-format --json-schema --max-budget-usd --max-thinking-tokens --max-turns --model
      --name -n --output-format --permission-mode --permission-prompt-tool --permission-prompts --plugin-dir
      --plugin-url --remote-control-session-name-prefix --setting-sources --settings --system-prompt
      --system-prompt-file --system-prompt-snapshot`,
    maybe: "--debug -d --prompt-suggestions --remote-control",
    many: "--add-dir --allowed-tools --allowedTools --betas --disallowed-tools --disallowedTools --mcp-config --tools"
  },
  once: {
    none: `--background --bg --continue -c --desktop --fork-session --help -h --init --init-only --maintenance
      --print -p --tmux --version -v`,
    one: "--environment --prefill --resume-session-at --rewind-files --session-id",
    maybe: "--cloud --from-pr --resume -r --teleport --worktree -w",
    many: "--file"
  }
})
