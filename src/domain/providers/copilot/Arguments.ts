import { syntaxOf } from "../../cli/provider/RepeatedArguments.ts"

export const copilotSyntax = syntaxOf({
  kept: {
    none: `--allow-all --allow-all-mcp-server-instructions --allow-all-paths --allow-all-tools --allow-all-urls
      --assisted-approval --autopilot --banner --disable-builtin-mcps --disable-client-telemetry
      --disallow-temp-dir --enable-all-github-mcp-tools --enable-memory --experimental --no-ask-user
      --no-auto-update --no-bash-env --no-color --no-custom-instructions --no-eager-powershell-resolution
      --no-experimental --no-mouse --no-remote --no-remote-export --plain-diff --plan --remote --remote-export
      --screen-reader --yolo`,
    one: `--add-dir --add-github-mcp-tool --add-github-mcp-toolset --additional-mcp-config --agent --auto-tier
      --context --disable-mcp-server --dynamic-retrieval --enable-mcp-server --extension-sdk-path --log-dir
      --log-level --max-ai-credits --max-autopilot-continues --mcp-github-auth --mode --model --plugin-dir
      --reasoning-effort --stream --usage-output-file`,
    maybe: "--bash-env --mouse",
    many: "--allow-tool --allow-url --available-tools --deny-tool --deny-url --excluded-tools --secret-env-vars"
  },
  once: {
    none: "--acp --continue --fleet --help -h --share-gist --silent -s --trust-folder --version -v",
    one: `--attachment -C --environment-compute-id --environment-host --interactive -i --name -n --output-format
      --prompt -p --session-id`,
    maybe: "--connect --resume -r --share --worktree -w"
  }
})
