const texts: Readonly<Record<string, string>> = {
  ENOENT: "it is not there any more",
  EEXIST: "something has that name already",
  ENOTEMPTY: "something is in it",
  ENOTDIR: "a part of the path is no directory",
  ELOOP: "its symbolic links lead in a circle",
  EACCES: "its permissions forbid it",
  EPERM: "its permissions forbid it",
  EROFS: "it is on a disk that cannot be written to",
  ENOSPC: "the disk is full; free some space and try again",
  EDQUOT: "your disk quota is used up; free some space and try again",
  EFBIG: "the file is too large for that disk",
  EIO: "the disk reports an error",
  ENAMETOOLONG: "the path is longer than the file system allows",
  EMFILE: "too many files are open: 'ulimit -n' allows too few",
  ESTALE: "it has become shorter",
  EILSEQ: "a name in it is no UTF-8"
}

export const systemErrorText = (code: string, otherwise: string): string => {
  const known = texts[code]
  return known === undefined ? otherwise : `${known} (${code})`
}
