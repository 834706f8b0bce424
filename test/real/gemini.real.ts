import { gemini } from "./cli/gemini.ts"
import { mainJob } from "./mainJob.ts"

mainJob(gemini)
