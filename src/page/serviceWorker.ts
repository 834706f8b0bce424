import type { PushAnswer, PushMessage } from "../domain/surfaces/web/PushMessage.ts"
import { shellCaches, shellHeader } from "../domain/surfaces/web/shell.ts"

/** The parts of a service worker's scope that are used here: the page's own types are a window's. */
interface Lasting extends Event {
  readonly waitUntil: (done: Promise<unknown>) => void
}
interface Tab {
  readonly url: string
  readonly focus: () => Promise<unknown>
  readonly postMessage: (message: unknown) => void
}
interface Worker {
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    readonly claim: () => Promise<void>
    readonly matchAll: (options: object) => Promise<ReadonlyArray<Tab>>
    readonly openWindow: (url: string) => Promise<unknown>
  }
  readonly skipWaiting: () => Promise<void>
  readonly addEventListener: {
    (type: "install" | "activate", does: (event: Lasting) => void): void
    (
      type: "fetch",
      does: (
        event: Lasting & { readonly request: Request; readonly respondWith: (of: Promise<Response>) => void }
      ) => void
    ): void
    (type: "push", does: (event: Lasting & { readonly data: { readonly json: () => unknown } | null }) => void): void
    (
      type: "notificationclick",
      does: (event: Lasting & { readonly action: string; readonly notification: Notification }) => void
    ): void
  }
}
const worker = self as unknown as Worker

/** Replaced by the build: a digest of the shell's files, so that a new shell is a new service worker. */
const version = "SHELL-VERSION"
/** Replaced by the build: the page's files, which are kept for a time without connection; "" is the page itself. */
const shellFiles = "SHELL-FILES".split(" ")
const scope = new URL(worker.registration.scope)
const ownCaches = shellCaches(scope.href)
const cacheName = ownCaches + version
/** How long the network may take for a file that is kept, in milliseconds. */
const networkTimeout = 4_000

const isOurs = (answer: Response): boolean => answer.ok && answer.headers.has(shellHeader)

const install = async (): Promise<void> => {
  const cache = await caches.open(cacheName)
  for (const file of shellFiles) {
    const url = new URL(file, scope)
    const answer = await fetch(url, { cache: "no-store" })
    if (!isOurs(answer)) throw new Error(`${file} is not leap's`)
    await cache.put(url, answer)
  }
  await worker.skipWaiting()
}

const dropCaches = async (others: boolean): Promise<void> => {
  for (const name of await caches.keys())
    if (name.startsWith(ownCaches) && !(others && name === cacheName)) await caches.delete(name)
}

/** Ends this service worker and what it keeps: this address is leap's no more, or not for this browser. */
const leave = async (): Promise<void> => {
  await dropCaches(false)
  await worker.registration.unregister()
}

/** A file of the shell: always the server's own, and the kept one only if the server cannot be reached. */
const shellFile = async (url: URL): Promise<Response> => {
  const kept = (): Promise<Response | undefined> => caches.open(cacheName).then((cache) => cache.match(url))
  try {
    const answer = await fetch(url, {
      cache: "no-store",
      redirect: "manual",
      signal: AbortSignal.timeout(networkTimeout)
    })
    // what a proxy says while leap web does not run
    if (answer.status >= 500) return (await kept()) ?? answer
    if (answer.status === 404 || answer.status === 410 || (answer.ok && !isOurs(answer))) await leave()
    return answer
  } catch {
    return (await kept()) ?? Response.error()
  }
}

const looks = { icon: "icon.png", badge: "icon.png" } as const
const answerTitles: Readonly<Record<PushAnswer, string>> = { allow: "Allow once", deny: "Deny" }

interface Shown {
  readonly session: string
  readonly digest: string
}

const aboutNone: Shown = { session: "", digest: "" }

const isMessage = (value: unknown): value is PushMessage =>
  typeof value === "object" && value !== null && "_tag" in value

const nameOf = (tag: string): string => `leap ${tag}`

let lastShow: Promise<unknown> = Promise.resolve()

/** Shows one after the other: a look at what is shown makes Chromium forget what it is about to show. */
const inTurn = (show: () => Promise<void>): Promise<void> => {
  const its = lastShow.then(show)
  lastShow = its.catch(() => {})
  return its
}

/**
 * Shows what came. A browser wants to see a notification for each push. What is shown under the tag of an open one
 * takes its place: that one is not closed, since a browser closes by the tag, and late, and would close the new one.
 */
const onPush = async (message: unknown): Promise<void> => {
  const { registration } = worker
  const open = await registration.getNotifications()
  if (!isMessage(message))
    return registration.showNotification("leap", { ...looks, body: "a session has news", data: aboutNone })
  const { standing } = message
  const stays = ({ data }: Notification): boolean => {
    const { session } = data as Shown
    if (session === message.tag) return message._tag === "Notice"
    return session !== "" && (standing?.includes(session) ?? true)
  }
  const isOver = message._tag === "Over"
  const shownTag = isOver ? (open.some(stays) ? null : nameOf("")) : nameOf(message.tag)
  for (const one of open) if (!stays(one) && one.tag !== shownTag) one.close()
  if (shownTag === null) return
  if (isOver)
    return registration.showNotification("leap", {
      ...looks,
      tag: shownTag,
      body: "nothing needs you any more",
      silent: true,
      data: aboutNone
    })
  const { answers, body, digest, tag, title } = message
  const options = {
    ...looks,
    body,
    tag: shownTag,
    renotify: true,
    data: { session: tag, digest } satisfies Shown,
    actions: answers.map((action) => ({ action, title: answerTitles[action] }))
  }
  return registration.showNotification(title, options)
}

const openPage = async (session: string): Promise<void> => {
  const tabs = await worker.clients.matchAll({ type: "window", includeUncontrolled: true })
  const tab = tabs.find(({ url }) => url.startsWith(scope.href))
  if (tab === undefined) return void (await worker.clients.openWindow(`${scope.href}#${session}`))
  await tab.focus()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  tab.postMessage({ session })
}

/** Sends the answer that was pressed; returns what became of it. */
const answer = async (of: PushAnswer, { digest, session }: Shown): Promise<string> => {
  const subscription = await worker.registration.pushManager.getSubscription()
  const auth = subscription?.toJSON().keys?.["auth"]
  if (auth === undefined) return "not answered: this browser gets no pushes any more; open the page"
  try {
    const said = await fetch(new URL("push", scope), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ auth, tag: session, digest, answer: of }),
      signal: AbortSignal.timeout(3 * networkTimeout)
    })
    if (said.status === 401) {
      await leave()
      return "not answered: this browser is not signed in any more"
    }
    if (!said.ok) return `not answered: ${(await said.text()).trim().slice(0, 200)}`
    const { isDone, said: words } = (await said.json()) as { readonly isDone: boolean; readonly said: string }
    return isDone ? words : `not answered: ${words}`
  } catch {
    return "leap web could not be asked, or did not answer: look whether it is answered"
  }
}

const onAnswer = async (of: PushAnswer, about: Shown): Promise<void> => {
  const body = await answer(of, about)
  return inTurn(() =>
    worker.registration.showNotification(about.session, {
      ...looks,
      body,
      // not the tag of the one that was pressed: the browser may close that one after this is shown
      tag: nameOf(`${about.session} answer`),
      silent: true,
      data: aboutNone
    })
  )
}

worker.addEventListener("install", (event) => event.waitUntil(install()))
worker.addEventListener("activate", (event) =>
  event.waitUntil(dropCaches(true).then(worker.clients.claim.bind(worker.clients)))
)
worker.addEventListener("fetch", (event) => {
  const { method, url } = event.request
  const { hash, href } = new URL(url)
  const plain = href.slice(0, href.length - hash.length)
  if (method === "GET" && shellFiles.some((file) => plain === new URL(file, scope).href))
    event.respondWith(shellFile(new URL(plain)))
})
worker.addEventListener("push", (event) => {
  const { data } = event
  const message = (): unknown => {
    try {
      return data?.json()
    } catch {
      return null
    }
  }
  event.waitUntil(inTurn(() => onPush(message())))
})
worker.addEventListener("notificationclick", (event) => {
  const { action, notification } = event
  const about = notification.data as Shown | null
  notification.close()
  event.waitUntil(
    about !== null && (action === "allow" || action === "deny")
      ? onAnswer(action, about)
      : openPage(about?.session ?? "")
  )
})
