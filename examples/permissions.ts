// A bot that answers permission requests: it reads what the CLI asks on its screen, and lets it write notes only.
// Rules of the settings (`policy`) decide before anything is shown; this is for what they leave to a person.
import { Console, Effect, Stream } from "effect"
import { type HostedSession, hostSession, layer } from "leap/host"

const bot = (session: HostedSession) =>
  session.questions.pipe(
    Stream.runForEach((question) => {
      const answer = question.title.startsWith("Write notes.md") ? "Yes" : "No"
      // The question goes along: a dialog that has come in its place meanwhile is not answered.
      return session.reply(answer, question).pipe(
        Effect.andThen(Console.log(`${question.title} → ${answer}`)),
        Effect.catchTag("RefusedError", ({ message }) => Console.log(`not answered: ${message}`))
      )
    }),
    Effect.forkScoped
  )

const program = Effect.gen(function* () {
  const session = yield* hostSession({ tag: "permissions", cli: process.argv[2] ?? "demo", hooks: "install" })
  yield* bot(session)
  yield* Console.log(yield* session.ask("please write a file"))
})

await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(layer())))
