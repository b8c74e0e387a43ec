package protect

import (
	"os"
	"syscall"
)

// linked reports whether a file has more than one name. It reports true if that cannot be found out.
func linked(name string, _ os.FileInfo) bool {
	f, err := os.Open(name)
	if err != nil {
		return true
	}
	defer func() { _ = f.Close() }()
	var d syscall.ByHandleFileInformation
	return syscall.GetFileInformationByHandle(syscall.Handle(f.Fd()), &d) != nil || d.NumberOfLinks > 1
}
