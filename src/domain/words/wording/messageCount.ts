/** A number of messages and their verb: `1 message is held`, `2 messages are held`. */
export const messageCount = (count: number, one: string, many: string = one): string =>
  count === 1 ? `1 message ${one}` : `${count} messages ${many}`
