import { copilot } from "./cli/copilot.ts"
import { mainJob } from "./mainJob.ts"

mainJob(copilot)
