import { syntaxOf } from "../../cli/provider/RepeatedArguments.ts"

export const geminiSyntax = syntaxOf({
  kept: {
    none: `--accept-raw-output-risk --all-files -a --checkpointing -c --debug -d --raw-output --sandbox -s
      --screen-reader --show-memory-usage --skip-trust --yolo -y`,
    one: "--approval-mode --model -m --proxy --sandbox-image",
    many: "--admin-policy --allowed-mcp-server-names --allowed-tools --extensions -e --include-directories --policy"
  },
  once: {
    none: "--acp --experimental-acp --help -h --list-extensions -l --list-sessions --version -v",
    one: "--delete-session --output-format -o --prompt -p --prompt-interactive -i --session-file --session-id",
    maybe: "--resume -r --worktree -w"
  }
})
