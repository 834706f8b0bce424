import { syntaxOf } from "../../cli/provider/RepeatedArguments.ts"

export const opencodeSyntax = syntaxOf({
  kept: {
    none: "--auto --mdns --mini --no-replay --print-logs --pure",
    one: "--agent --hostname --log-level --mdns-domain --model -m --port --replay-limit",
    many: "--cors"
  },
  once: {
    none: "--continue -c --fork --help -h --version -v",
    one: "--prompt --session -s"
  },
  word: "the directory"
})
