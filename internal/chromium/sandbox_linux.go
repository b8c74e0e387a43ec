package chromium

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
)

// NoSandbox says why the browser cannot use its sandbox here; "" when it can. The sandbox refuses to run as root, and
// an ordinary user needs user namespaces or the setuid program that some packages install.
func NoSandbox(path string) string {
	if os.Geteuid() == 0 {
		return "running as root"
	}
	if userNamespaces() || hasSetuidSandbox(path) {
		return ""
	}
	return "this system has no user namespaces"
}

var userNamespaces = sync.OnceValue(func() bool {
	cmd := exec.Command("/proc/self/exe", "version")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER}
	return cmd.Run() == nil
})

func hasSetuidSandbox(path string) bool {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	beside := filepath.Join(filepath.Dir(path), "chrome-sandbox")
	for _, name := range []string{beside, "/usr/lib/chromium/chrome-sandbox"} {
		if info, err := os.Stat(name); err == nil && info.Mode()&os.ModeSetuid != 0 {
			return true
		}
	}
	return false
}
