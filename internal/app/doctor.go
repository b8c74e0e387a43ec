package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"cove/api"
	"cove/internal/chromium"
	"cove/internal/fault"
	"cove/internal/keeper"
	"cove/internal/paths"
	"cove/internal/process"
)

// Examine looks at everything that a profile needs to open.
func (m *machine) Examine(ctx context.Context) []api.Finding {
	preferred, _, err := m.browser(ctx)
	found := ExamineComputer(ctx, m.Home, preferred)
	if err != nil {
		found = append(found, finding("settings", "", err))
	}
	return append(found, m.lookAtPort(), m.lookAtLogin(ctx), m.lookAtFolders(ctx), m.lookAtClients(ctx))
}

// ExamineComputer looks at what can be seen without an app that runs.
func ExamineComputer(ctx context.Context, home paths.Home, preferred string) []api.Finding {
	b, err := chromium.Find(ctx, preferred)
	return []api.Finding{finding("browser", fmt.Sprintf("%s %s at %s", b.Name, b.Version, b.Path), err), lookAtSandbox(b), lookAtDisplay(), lookAtDisk(home)}
}

func finding(name, good string, err error) api.Finding {
	if err == nil {
		return api.Finding{Name: name, OK: true, Text: good}
	}
	f := fault.From(err)
	return api.Finding{Name: name, Text: f.Text, Hint: f.Hint}
}

func lookAtSandbox(b chromium.Browser) api.Finding {
	if b.Path == "" {
		return api.Finding{Name: "sandbox", Text: "not known without a browser", Hint: "Install a browser first."}
	}
	if why := chromium.NoSandbox(b.Path); why != "" {
		return api.Finding{Name: "sandbox", Text: "the browser runs without its sandbox: " + why, Hint: "Run Cove as an ordinary user on a system with user namespaces."}
	}
	return api.Finding{Name: "sandbox", OK: true, Text: "the browser's sandbox works here"}
}

func lookAtDisplay() api.Finding {
	if chromium.HasDisplay() {
		return api.Finding{Name: "display", OK: true, Text: "profiles open in a window"}
	}
	return api.Finding{Name: "display", OK: true, Text: "there is no display, so profiles open headless"}
}

// lookAtDisk looks at where the data is, or will be.
func lookAtDisk(home paths.Home) api.Finding {
	at := string(home)
	for filepath.Dir(at) != at {
		if _, err := os.Stat(at); !errors.Is(err, os.ErrNotExist) {
			break
		}
		at = filepath.Dir(at)
	}
	free, err := process.FreeBytes(at)
	if err == nil && free < 1<<30 {
		err = fault.DiskFull(fmt.Sprintf("only %d MB are free at %s", free>>20, home))
	}
	return finding("disk", fmt.Sprintf("%d GB free at %s", free>>30, home), err)
}

func (m *machine) lookAtPort() api.Finding {
	text := fmt.Sprintf("the local API answers at http://127.0.0.1:%d", m.port.APIPort)
	if m.port.PortReason != "" {
		text += " (" + m.port.PortReason + ")"
	}
	return api.Finding{Name: "port", OK: true, Text: text}
}

func (m *machine) lookAtLogin(ctx context.Context) api.Finding {
	a, err := m.accounts.Current(ctx)
	if err == nil {
		if err := a.MayAutomate(); err != nil {
			return finding("account", "", err)
		}
	}
	return finding("account", a.Email+", plan "+string(a.Plan), err)
}

// lookAtFolders finds data of profiles that the store does not know: after a lost database the logins are still there.
func (m *machine) lookAtFolders(ctx context.Context) api.Finding {
	ids, err := keeper.IDs(m.Home)
	if err != nil {
		return finding("folders", "", err)
	}
	var lost []string
	for _, id := range ids {
		if known, err := m.profiles.Known(ctx, id); err == nil && !known {
			lost = append(lost, id.String())
		}
	}
	if len(lost) > 0 {
		return api.Finding{Name: "folders", Text: "data folders without a profile: " + strings.Join(lost, ", "),
			Hint: "Put the cove.db of a backup back, or remove them below " + m.Home.Profiles() + string(os.PathSeparator)}
	}
	return api.Finding{Name: "folders", OK: true, Text: fmt.Sprintf("each data folder has its profile: %d (%s/%s)", len(ids), runtime.GOOS, runtime.GOARCH)}
}
