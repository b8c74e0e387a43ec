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
	"sync"

	"cove/internal/fault"
	"cove/internal/paths"
)

var folderLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^const DATA_FOLDER = (.*);\r?$`)
})

// dataFolderIn is the data folder that stands in the text of a wrapper; false for a text that is none.
func dataFolderIn(text string) (folder string, ok bool) {
	m := folderLine().FindStringSubmatch(text)
	if m == nil {
		return "", false
	}

	value := m[1]
	single := len(value) >= 2 && strings.HasPrefix(value, "'") && strings.HasSuffix(value, "'")
	if single && !strings.ContainsAny(value, `\"`) {
		value = `"` + value[1:len(value)-1] + `"`
	}

	return folder, json.Unmarshal([]byte(value), &folder) == nil
}

// DataFolder is the data folder that stands in the wrapper at file; false for a file that is none, or is not there. It
// is empty in a wrapper that the first version wrote for the usual folder: that one looks into the environment.
func DataFolder(file string) (folder string, ok bool) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return "", false
	}

	return dataFolderIn(string(raw))
}

// owner is the data folder whose profiles a wrapper opens; false for a text that does not say.
func owner(text string) (paths.Home, bool) {
	folder, ok := dataFolderIn(text)
	if !ok || folder != "" {
		return paths.Home(folder), ok
	}
	usual, err := paths.UsualHome()

	return usual, err == nil
}

// Owner is the data folder whose profiles the wrapper at file opens; false for a file that does not say, or is not
// there.
func Owner(file string) (paths.Home, bool) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return "", false
	}

	return owner(string(raw))
}

// CheckOwner refuses a wrapper that opens the profiles of another data folder: a profile of the same number has other
// logins there.
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

	hint := "Leave --dir out, so that each data folder has a wrapper of its own, or name another folder with --dir."
	// Only a person knows whether the folder is gone or its disk is not mounted.
	if _, err := os.Stat(string(theirs)); errors.Is(err, os.ErrNotExist) {
		hint += " That data folder is not there now. If it is gone for good, remove " + file + " and try again."
	}

	return fault.New(fault.CodeOtherFolder,
		"The wrapper at "+file+" opens the profiles of another data folder, "+string(theirs)+".", hint)
}

// DirFor is the folder for the wrapper of a data folder when nobody names one. That is the usual one, unless the
// wrapper of another data folder is there; then it is one below it, which no other data folder uses.
func DirFor(home paths.Home) (string, error) {
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

// label is a name for a data folder without spaces, at which some clients split a path.
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
		return fault.New(fault.CodeNoWrapper, "There is no wrapper at "+file+".",
			"Write it with: cove wrapper install")
	}

	return fault.New(fault.CodeUnreadable, "The wrapper at "+file+" cannot be read: "+cause(err)+".",
		"Make it readable for your user, then try again.").Because(err)
}
