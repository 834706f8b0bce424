import { syntaxOf } from "../../cli/provider/RepeatedArguments.ts"

/** The command line of Cursor Agent, from its documentation. */
export const cursorAgentSyntax = syntaxOf({
  kept: {
    none: "--approve-mcps --auto-review --browser --force -f --fullscreen --insecure --plan --trust --yolo",
    one: "--add-dir --endpoint -e --mode --model -m --name -n --plugin-dir --sandbox"
  },
  once: {
    none: `--background -b --cloud -c --continue --help -h --list-models --print -p --skip-worktree-setup
      --stream-partial-output --version -v`,
    one: "--api-key --header -H --output-format --workspace --worktree-base",
    maybe: "--resume --worktree -w"
  },
  commands: ["resume"]
})
