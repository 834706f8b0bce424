/**
 * What a request that leaves out its command, file or address is taken for. `unread`: it could be any; `directory`: the
 * session's, the tool's own default; `carried`: nothing is known of its arguments, and each is looked at; `personal`: a
 * person answers it.
 */
export type LeftOut = "unread" | "directory" | "carried" | "personal" | "nothing"

const rows = (left: LeftOut, names: string) => names.split(" ").map((name) => [name, left] as const)
const table = (...all: ReadonlyArray<ReadonlyArray<readonly [string, LeftOut]>>) => Object.fromEntries(all.flat())

/** The tools of each CLI, by the names that its hooks have for them. */
export const toolRows: Readonly<Record<string, Readonly<Record<string, LeftOut>>>> = {
  claude: table(
    rows("unread", "Bash Monitor PowerShell Edit MultiEdit Write NotebookEdit Read NotebookRead WebFetch"),
    rows("directory", "Glob Grep LS"),
    rows("nothing", "WebSearch"),
    rows("personal", "AskUserQuestion EnterPlanMode ExitPlanMode"),
    rows(
      "carried",
      "Agent Task ListAgents ReportFindings ScheduleWakeup Skill ToolSearch Workflow DeferredToolPlaceholder mcp__lab__ask_name"
    )
  ),
  codex: table(
    rows("unread", "Bash exec_command shell shell_command local_shell write_stdin apply_patch view_image"),
    rows("nothing", "web_search"),
    rows("personal", "request_user_input request_user_input_async"),
    rows("carried", "collaborationspawn_agent collaborationwait_agent")
  ),
  copilot: table(
    rows("unread", "bash powershell write_bash view edit create apply_patch str_replace_editor web_fetch"),
    rows("directory", "glob grep rg"),
    rows("nothing", "web_search"),
    rows("personal", "ask_user exit_plan_mode"),
    rows(
      "carried",
      "read_bash stop_bash list_bash fetch_copilot_cli_documentation skill sql session_store_sql read_agent list_agents write_agent task"
    )
  ),
  gemini: table(
    rows("unread", "run_shell_command read_file read_many_files write_file replace web_fetch"),
    rows("directory", "list_directory glob grep_search search_file_content"),
    rows("nothing", "google_web_search"),
    rows("personal", "ask_user exit_plan_mode"),
    rows(
      "carried",
      "enter_plan_mode update_topic activate_skill write_todos list_background_processes read_background_output invoke_agent list_mcp_resources read_mcp_resource"
    )
  ),
  opencode: table(
    rows("unread", "bash edit write read webfetch apply_patch"),
    rows("directory", "glob grep list"),
    rows("personal", "question"),
    rows("carried", "skill task todowrite")
  )
}
