/** Tells Prism to do nothing by itself, before it is loaded: neither on a page nor in a worker. */
Object.assign(globalThis, { Prism: { manual: true, disableWorkerMessageHandler: true } })
