import { opencode } from "./cli/opencode.ts"
import { mainJob } from "./mainJob.ts"

mainJob(opencode)
