// Package paths knows every name that Cove uses on disk, and how to write a file there.
package paths

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"cove/internal/profile/id"
)

// Home is Cove's data folder.
type Home string

// DefaultHome returns the data folder that is used when none is named.
func DefaultHome() (Home, error) {
	base, err := os.UserConfigDir()
	if err != nil {
		return "", err
	}
	return Home(filepath.Join(base, "cove_browser")), nil
}

// UsualHome returns the data folder of programs that get neither a name nor the environment, such as those that MCP
// clients start.
func UsualHome() (Home, error) {
	if dir, err := os.UserHomeDir(); runtime.GOOS == "linux" && err == nil {
		return Home(filepath.Join(dir, ".config", "cove_browser")), nil
	}
	return DefaultHome()
}

// Usual reports whether programs find this data folder without being told, even those that start without the
// environment.
func (h Home) Usual() bool {
	usual, err := UsualHome()
	return err == nil && h.Same(usual)
}

// Same reports whether two names mean one folder. A folder that no longer exists is compared by name.
func (h Home) Same(other Home) bool {
	return Same(string(h), string(other))
}

// Same reports whether two paths are of one file or folder. What is not there is compared by its path.
func Same(a, b string) bool {
	if a == b {
		return true
	}
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// Make creates the data folder and closes it to other users.
func (h Home) Make() error {
	for _, dir := range []string{string(h), h.Profiles(), h.Logs()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	return os.Chmod(string(h), 0o700)
}

func (h Home) join(name ...string) string {
	return filepath.Join(append([]string{string(h)}, name...)...)
}

// DB is the database.
func (h Home) DB() string { return h.join("cove.db") }

// AppFile is the file by which others find the running app.
func (h Home) AppFile() string { return h.join("app.json") }

// AppLock is locked while an app runs on the data folder.
func (h Home) AppLock() string { return h.join("app.lock") }

// OwnerToken is the file with the owner's own token.
func (h Home) OwnerToken() string { return h.join("owner.token") }

// SecretKey is the file with the key that secrets are encrypted with.
func (h Home) SecretKey() string { return h.join("secret.key") }

// SecretKeyring is the file that says that the system's keyring has this key.
func (h Home) SecretKeyring() string { return h.join("secret.keyring") }

// SecretLock is locked while secrets or their key change.
func (h Home) SecretLock() string { return h.join("secret.lock") }

// Logs is the folder of the logs.
func (h Home) Logs() string { return h.join("logs") }

// AppLog is the log of the app.
func (h Home) AppLog() string { return h.join("logs", "app.log") }

// Profiles is the folder of the profiles' folders.
func (h Home) Profiles() string { return h.join("browser_profiles") }

// JournalKey is the file with the key that seals every profile's journal.
func (h Home) JournalKey() string { return h.join("journal.key") }

// Clients records what Cove has written into the files of MCP clients.
func (h Home) Clients() string { return h.join("clients.json") }

// ClientLock is locked while a file of an MCP client changes.
func (h Home) ClientLock() string { return h.join("clients.lock") }

// Bindings says which profile the agents in a folder use.
func (h Home) Bindings() string { return h.join("bindings.json") }

// SkillNotice is as old as the last notice that a skill is older than the program.
func (h Home) SkillNotice() string { return h.join("skill-notice") }

// ClientBackups holds earlier versions of one client's files.
func (h Home) ClientBackups(client string) string { return h.join("backups", "clients", client) }

// Window is the data folder of the browser that shows the app's own window.
func (h Home) Window() string { return h.join("window") }

// Panic exists while every agent is suspended.
func (h Home) Panic() string { return h.join("panic") }

// SignIns holds the window's pages that are signed in, as hashes.
func (h Home) SignIns() string { return h.join("window.json") }

// Probe is the file with what the browser shows to every page.
func (h Home) Probe() string { return h.join("browser.json") }

// ProbeDir is the folder of a browser that is asked for these values. It is gone afterwards.
func (h Home) ProbeDir() string { return h.join("probe") }

// Extensions is the folder of the copies of extensions that profiles share.
func (h Home) Extensions() string { return h.join("extensions") }

// Extension is the folder of one version of an extension: the id that browsers know it by, and a hash of its files.
func (h Home) Extension(browserID, content string) string {
	return h.join("extensions", browserID, content[:min(16, len(content))])
}

// KeeperLog is the log of one profile's keeper.
func (h Home) KeeperLog(profile id.ID) string {
	return h.join("logs", "keeper-"+profile.String()+".log")
}

// Profile is the folder of one profile. Everything of that profile is in it.
func (h Home) Profile(profile id.ID) ProfileDir {
	return ProfileDir(h.join("browser_profiles", profile.String()))
}

// ProfileDir is the folder of one profile.
type ProfileDir string

func (d ProfileDir) join(name string) string { return filepath.Join(string(d), name) }

// Home returns the data folder that the profile belongs to.
func (d ProfileDir) Home() Home { return Home(filepath.Dir(filepath.Dir(string(d)))) }

// Data is the data folder of the browser.
func (d ProfileDir) Data() string { return d.join("data_dir") }

// ActivePort is the file in which Chromium's own clients look for its debugging port.
func (d ProfileDir) ActivePort() string { return filepath.Join(d.Data(), "DevToolsActivePort") }

// ExtensionRecord says which extensions Cove has installed in the browser's data folder. It is in that folder, so that
// a copy of the folder has it, too.
func (d ProfileDir) ExtensionRecord() string { return filepath.Join(d.Data(), "Cove Extensions") }

// Keeper is the record by which others find the keeper.
func (d ProfileDir) Keeper() string { return d.join("keeper.json") }

// Lock is locked while a keeper runs.
func (d ProfileDir) Lock() string { return d.join("keeper.lock") }

// ClosedFor names the agents in shells that were in the profile when a person closed it.
func (d ProfileDir) ClosedFor() string { return d.join("closed.json") }

// Shells is what the agents in shells have seen of the profile, for the keeper after this one.
func (d ProfileDir) Shells() string { return d.join("shells.json") }

// Secrets is the file of the profile's secrets.
func (d ProfileDir) Secrets() string { return d.join("secrets.json") }

// BrowserLog is what the browser wrote when it ran last.
func (d ProfileDir) BrowserLog() string { return d.join("browser.log") }

// Journal holds nothing but *.jsonl. Its images and the record of its end are outside it.
func (d ProfileDir) Journal() string { return d.join("journal") }

// JournalPictures is the folder of the journal's screenshots.
func (d ProfileDir) JournalPictures() string { return d.join("journal-pictures") }

// JournalHead is the record of where the journal ends.
func (d ProfileDir) JournalHead() string { return d.join("journal.json") }

// Deleted is where a profile's folder goes first when it is deleted permanently.
func (d ProfileDir) Deleted() string { return string(d) + ".deleted" }

// maxSocket is the longest socket path that every system accepts (macOS: 104 with the closing NUL).
const maxSocket = 103

// Socket is the keeper's socket. It is in the profile's folder, or in a short runtime folder if that path would be too
// long.
func (d ProfileDir) Socket() (string, error) {
	if s := d.join("keeper.sock"); len(s) <= maxSocket {
		return s, nil
	}
	sum := sha256.Sum256([]byte(d))
	dir, err := runtimeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, hex.EncodeToString(sum[:8])+".sock"), nil
}

// RuntimeDir is the folder of the sockets that are not in their profile's folder. It may not exist.
func RuntimeDir() string {
	base := os.Getenv("XDG_RUNTIME_DIR")
	if base == "" || len(base) > 60 {
		base = "/tmp"
		if runtime.GOOS == "windows" {
			base = os.TempDir()
		}
	}
	return filepath.Join(base, "cove-"+strconv.Itoa(os.Getuid()))
}

// runtimeDir creates a short folder that only this user can enter.
func runtimeDir() (string, error) {
	dir := RuntimeDir()
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return "", err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return "", err
	}
	if !info.IsDir() || (runtime.GOOS != "windows" && info.Mode().Perm() != 0o700) || !ownedByUs(info) {
		return "", fmt.Errorf("%s is not a private folder of this user: remove it and try again", dir)
	}
	return dir, nil
}
