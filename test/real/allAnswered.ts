import type { FakeModel } from "./model/FakeModel.ts"

/** Sends the texts one after the other; ends when the model has answered each. */
export const allAnswered = async (
  {
    api,
    leap,
    tag
  }: {
    readonly api: FakeModel
    readonly leap: (args: ReadonlyArray<string>) => Promise<string>
    readonly tag: string
  },
  texts: ReadonlyArray<string>
): Promise<void> => {
  for (const text of texts) await leap(["send", tag, text])
  await api.until(
    "all are answered",
    (main) => main.length === texts.length && main.every(({ endedAt }) => endedAt !== null),
    120_000
  )
}
