const shortLength = 5

/**
 * The end of a message's id, by which people name it. It stays the same while positions change. Ids begin with their
 * time, so that the starts of a queue's ids are much alike.
 */
export const shortId = (id: string): string => id.slice(-shortLength)
