import { useSignal } from "@preact/signals"
import { askPush } from "./connection.ts"
import { newSubscription, noPushesWhy } from "./shell.ts"
import { announcement, pushes } from "./store.ts"
import { timeOfDay } from "./words.ts"

const say = (said: string): void => {
  announcement.value = said
}

const change = async (asked: Parameters<typeof askPush>[0]): Promise<void> => {
  const { isDone, said } = await askPush(asked)
  say(isDone ? said : `not done: ${said}`)
}

const turnOn = async (key: string): Promise<void> => {
  const made = await newSubscription(key)
  if (typeof made === "string") return say(`not done: ${made}`)
  const { auth = "", p256dh = "" } = made.keys ?? {}
  await change({ _tag: "Subscribe", address: { endpoint: made.endpoint ?? "", p256dh, auth } })
}

/** Pushes to this device: whether it gets them, and why not. Permission is asked for by a click alone. */
export const Pushes = () => {
  const isBusy = useSignal(false)
  if (pushes.value === null) return null
  const { failure, key, since } = pushes.value
  const why = key === null ? failure : noPushesWhy()
  const doing = (does: () => Promise<void>) => () => {
    isBusy.value = true
    void does().finally(() => {
      isBusy.value = false
    })
  }
  return (
    <details>
      <summary>Pushes to this device: {since === null ? "off" : "on"}</summary>
      <p class="hint">
        {since === null
          ? "While leap web runs, a push says when a session needs you and nobody looks. It stays encrypted on its way."
          : `On since ${new Date(since).toLocaleDateString()} ${timeOfDay(since)}.`}
      </p>
      {why === null ? null : <p class="problem">It cannot be: {why}</p>}
      {since === null || failure === null ? null : <p class="problem">The last one failed: {failure}</p>}
      <p class="buttons">
        {since !== null ? (
          <>
            <button type="button" disabled={isBusy.value} onClick={doing(() => change({ _tag: "TestPush" }))}>
              Send a test
            </button>
            <button type="button" disabled={isBusy.value} onClick={doing(() => change({ _tag: "Unsubscribe" }))}>
              Turn pushes off
            </button>
          </>
        ) : key === null || why !== null ? null : (
          <button type="button" disabled={isBusy.value} onClick={doing(() => turnOn(key))}>
            Turn pushes on
          </button>
        )}
      </p>
    </details>
  )
}
