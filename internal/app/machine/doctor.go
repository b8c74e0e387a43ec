package machine

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
	"cove/internal/clients"
	"cove/internal/fault"
	"cove/internal/keeperclient"
	"cove/internal/paths"
	"cove/internal/process"
	"cove/internal/profile"
)

// Examine checks everything that a profile needs to open.
func (m *Machine) Examine(ctx context.Context) []api.Finding {
	preferred, _, err := m.Preferred(ctx)
	found := ExamineComputer(ctx, m.Home, preferred)
	if err != nil {
		found = append(found, finding("settings", "", err))
	}
	found = append(append(found, m.checkPort()), m.checkAdsPower()...)
	return append(found, m.checkLogin(ctx), m.checkFolders(ctx), m.checkClients(ctx))
}

// ExamineComputer checks what can be seen without a running app.
func ExamineComputer(ctx context.Context, home paths.Home, preferred string) []api.Finding {
	b, err := chromium.Find(ctx, preferred)
	found := finding("browser", fmt.Sprintf("%s %s at %s", b.Name, b.Version, b.Path), err)
	return []api.Finding{found, checkSandbox(b), checkDisplay(), checkDisk(home)}
}

// finding is a check's result: good when err is nil, else the error with its hint.
func finding(name, good string, err error) api.Finding {
	if err == nil {
		return api.Finding{Name: name, OK: true, Text: good}
	}
	f := fault.From(err)
	return api.Finding{Name: name, Text: f.Text, Hint: f.Hint}
}

func checkSandbox(b chromium.Browser) api.Finding {
	if b.Path == "" {
		return api.Finding{Name: "sandbox", Text: "not known without a browser", Hint: "Install a browser first."}
	}
	if why := chromium.NoSandbox(b.Path); why != "" {
		return api.Finding{Name: "sandbox", Text: "the browser runs without its sandbox: " + why,
			Hint: "Run Cove as an ordinary user on a system with user namespaces."}
	}
	return api.Finding{Name: "sandbox", OK: true, Text: "the browser's sandbox works here"}
}

func checkDisplay() api.Finding {
	if chromium.HasDisplay() {
		return api.Finding{Name: "display", OK: true, Text: "profiles open in a window"}
	}
	return api.Finding{Name: "display", OK: true, Text: "there is no display, so profiles open headless"}
}

// checkDisk measures the disk of the data folder, which may not exist yet.
func checkDisk(home paths.Home) api.Finding {
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

func (m *Machine) checkPort() api.Finding {
	text := fmt.Sprintf("the local API answers at http://127.0.0.1:%d", m.About.APIPort)
	if m.About.PortReason != "" {
		text += " (" + m.About.PortReason + ")"
	}
	return api.Finding{Name: "port", OK: true, Text: text}
}

func (m *Machine) checkLogin(ctx context.Context) api.Finding {
	a, err := m.Accounts.Current(ctx)
	if err == nil {
		if err := a.MayAutomate(); err != nil {
			return finding("account", "", err)
		}
	}
	return finding("account", a.Email+", plan "+string(a.Plan), err)
}

// checkFolders finds data of profiles that the store does not know: after a lost database the logins are still there.
func (m *Machine) checkFolders(ctx context.Context) api.Finding {
	ids, err := keeperclient.ProfileIDs(m.Home)
	if err != nil {
		return finding("folders", "", err)
	}
	var lost []string
	for _, id := range ids {
		if known, err := m.Profiles.Known(ctx, id); err == nil && !known {
			lost = append(lost, id.String())
		}
	}
	if len(lost) > 0 {
		return api.Finding{Name: "folders", Text: "data folders without a profile: " + strings.Join(lost, ", "),
			Hint: "Restore cove.db from a backup, or delete them from " + m.Home.Profiles() +
				string(os.PathSeparator)}
	}
	text := fmt.Sprintf("each data folder has its profile: %d (%s/%s)", len(ids), runtime.GOOS, runtime.GOARCH)
	return api.Finding{Name: "folders", OK: true, Text: text}
}

// checkClients finds entries of MCP clients whose profile or program is gone.
func (m *Machine) checkClients(ctx context.Context) api.Finding {
	env, err := clients.Here(string(m.Home))
	if err != nil {
		return finding("clients", "", err)
	}
	r := &clients.Registry{Env: env, Home: m.Home}
	count, stale := r.Examine(func(id profile.ID) bool {
		_, err := m.Profiles.Get(ctx, id)
		return fault.KindOf(err) != fault.NotFound
	})
	if len(stale) == 0 {
		text := fmt.Sprintf("%d entries in MCP clients, each with its profile and its program", count)
		return api.Finding{Name: "clients", OK: true, Text: text}
	}
	var texts, hints []string
	for _, s := range stale {
		texts, hints = append(texts, s.Text), append(hints, s.Hint)
	}
	hint := "Remove or renew them: " + strings.Join(hints, "; ")
	return api.Finding{Name: "clients", Text: strings.Join(texts, "; "), Hint: hint}
}
