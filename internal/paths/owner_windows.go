package paths

import "os"

// The user's temp folder is private on Windows.
func ownedByUs(os.FileInfo) bool { return true }
