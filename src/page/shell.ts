import { shellCaches } from "../domain/surfaces/web/shell.ts"
import { select } from "./connection.ts"
import { connection, sessions } from "./store.ts"

/** Absent where the page is neither on this machine nor behind https. */
const workers = (navigator as { readonly serviceWorker?: ServiceWorkerContainer }).serviceWorker

const hasUnsentText = (): boolean =>
  [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea")].some(
    ({ defaultValue, value }) => value !== defaultValue
  )

/** Starts or renews the service worker; without one the page works all the same. */
const renew = async (): Promise<void> => {
  const registration = await workers?.register("sw.js", { updateViaCache: "none" })
  await registration?.update()
}

/** Ends the service worker, and with it the pushes: the server does not know this browser. */
const leave = async (): Promise<void> => {
  const registration = await workers?.getRegistration(location.pathname)
  if (registration === undefined) return
  for (const name of await caches.keys())
    if (name.startsWith(shellCaches(registration.scope))) await caches.delete(name)
  await registration.unregister()
}

/** Keeps the shell for times without connection, and replaces this page when the server has a new one. */
export const keepShell = (): void => {
  let hasWorker = (workers?.controller ?? null) !== null
  workers?.addEventListener("controllerchange", () => {
    if (hasWorker && !hasUnsentText()) location.reload()
    hasWorker = true
  })
  workers?.addEventListener("message", ({ data }) => {
    const { session } = data as { readonly session: string }
    select(session === "" ? null : session)
  })
  connection.subscribe((state) => {
    if (state === "open") void renew().catch(() => {})
    if (state === "locked") void leave().catch(() => {})
  })
}

/** Closes notifications about sessions that need nobody any more. */
export const closeMet = async (): Promise<void> => {
  const registration = await workers?.getRegistration(location.pathname)
  for (const notification of (await registration?.getNotifications()) ?? []) {
    const { session } = notification.data as { readonly session: string }
    if (session !== "" && (sessions.value.get(session)?.needs.length ?? 0) === 0) notification.close()
  }
}

/** Why this browser cannot get pushes, in words; null if it can, once it is allowed to. */
export const noPushesWhy = (): string | null => {
  if (!isSecureContext) return "a browser takes pushes only from this machine or by https ('leap web --host')"
  if (workers === undefined || !("PushManager" in window))
    return /\biP(?:hone|ad|od)\b/.test(navigator.userAgent)
      ? "add this page to the Home Screen (Share, Add to Home Screen) and open it there: only so do iPhones get pushes"
      : "this browser has no pushes"
  return Notification.permission === "denied" ? "this browser was told to show no notifications of this page" : null
}

/** Asks the user for permission and the browser for an address; a text says why there is none. */
export const newSubscription = async (key: string): Promise<PushSubscriptionJSON | string> => {
  if ((await Notification.requestPermission()) !== "granted") return "notifications were not allowed"
  const registration = await workers?.ready
  if (registration === undefined) return "this browser has no pushes"
  // an earlier one may be for another key
  await (await registration.pushManager.getSubscription())?.unsubscribe()
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }).then(
    (subscription) => subscription.toJSON(),
    (error: unknown) => `the browser's push service gave no address (${String(error)})`
  )
}
