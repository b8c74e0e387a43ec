package wrapper

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"cove/internal/fault"
	"cove/internal/paths"
)

var folderLine = regexp.MustCompile(`(?m)^const DATA_FOLDER = (.*);\r?$`)

// named is the data folder that stands in a wrapper; false for a text that is none.
func named(text string) (folder string, ok bool) {
	m := folderLine.FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	value := m[1]
	if len(value) >= 2 && strings.HasPrefix(value, "'") && strings.HasSuffix(value, "'") && !strings.ContainsAny(value, `\"`) {
		value = `"` + value[1:len(value)-1] + `"`
	}
	return folder, json.Unmarshal([]byte(value), &folder) == nil
}

// Named is the data folder that stands in the wrapper at file; false for a file that is none, or is not there. It is empty in a
// wrapper of the first version for the usual folder, which looks into the environment first.
func Named(file string) (folder string, ok bool) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return "", false
	}
	return named(string(raw))
}

// owner is the data folder whose profiles a wrapper opens; false for a text that does not say.
func owner(text string) (paths.Home, bool) {
	folder, ok := named(text)
	if !ok || folder != "" {
		return paths.Home(folder), ok
	}
	usual, err := paths.UsualHome()
	return usual, err == nil
}

// Owner is the data folder whose profiles the wrapper at file opens; false for a file that does not say, or is not there.
func Owner(file string) (paths.Home, bool) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return "", false
	}
	return owner(string(raw))
}

// CheckOwner refuses a wrapper that opens the profiles of another data folder: a profile of the same number has other logins there.
func CheckOwner(file string, home paths.Home) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return unreadable(file, err)
	}
	return checkOwner(file, string(raw), home)
}

func checkOwner(file, text string, home paths.Home) error {
	theirs, known := owner(text)
	if !known || theirs.Same(home) {
		return nil
	}
	return fault.New(fault.CodeOtherFolder, "The wrapper at "+file+" opens the profiles of another data folder, "+string(theirs)+".",
		"Leave --dir out, so that each data folder has a wrapper of its own, or name another folder with --dir.")
}

// Place is the folder for the wrapper of a data folder when nobody names one: the usual one, unless the wrapper of another data folder
// is there; then one below it, which no other data folder uses.
func Place(home paths.Home) (string, error) {
	dir, err := DefaultDir()
	if err != nil {
		return "", err
	}
	own := filepath.Join(dir, label(home))
	theirs, known := Owner(filepath.Join(dir, Name))
	switch {
	case known && theirs.Same(home):
		return dir, nil
	case known:
		return own, nil
	}
	if _, err := os.Stat(filepath.Join(own, Name)); err == nil { // clients run it
		return own, nil
	}
	return dir, nil
}

// label is the name of a data folder without spaces, which some clients take for the end of a path.
func label(home paths.Home) string {
	path := string(home)
	if direct, err := filepath.EvalSymlinks(path); err == nil {
		path = direct
	}
	if runtime.GOOS == "windows" {
		path = strings.ToLower(path)
	}
	sum := sha256.Sum256([]byte(path))
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return -1
	}, filepath.Base(path))
	return strings.TrimPrefix(name+"-"+hex.EncodeToString(sum[:4]), "-")
}

func unreadable(file string, err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return fault.New(fault.CodeNoWrapper, "There is no wrapper at "+file+".", "Write it with: cove wrapper install")
	}
	return fault.New(fault.CodeUnreadable, "The wrapper at "+file+" cannot be read: "+cause(err)+".", "Make it readable for your user, then try again.").Because(err)
}
