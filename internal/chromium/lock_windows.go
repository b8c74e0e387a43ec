package chromium

// On Windows the browser holds "lockfile" open, which names nobody and goes with the process: the keeper's own record of the
// browser tells who it is.
func readLock(string) (pid int, host string) { return 0, "" }

// ClearLocks has nothing to clear on Windows.
func ClearLocks(string) {}
