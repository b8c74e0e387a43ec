// Package wrapper has the file that runs the devtools MCP server on a profile, and installs it where clients find it.
package wrapper

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"cove/internal/fault"
	"cove/internal/paths"
)

// Name is the name of the file.
const Name = "profile-devtools-mcp.mjs"

// Package and Version are the devtools MCP server that the file runs: the one that Cove is tested with.
const (
	Package = "chrome-devtools-mcp"
	Version = "1.11.0"
)

//go:embed profile-devtools-mcp.mjs
var source string

// Parts of the source that an installation fills in.
const (
	sourcePort = "http://127.0.0.1:3001/"
	sourceHome = "const DATA_FOLDER = '';"
)

// DefaultDir is where clients find the file: a path without spaces.
func DefaultDir() (string, error) {
	if runtime.GOOS == "windows" {
		return `C:\mcp`, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find your home folder: %w", err)
	}

	return filepath.Join(home, "mcp"), nil
}

// Text is the file for the app on this port with this data folder. The folder always stands in it: a file that read it
// from the environment could open the profile of the same number in another data folder.
func Text(port int, home paths.Home) string {
	text := strings.ReplaceAll(source, sourcePort, "http://127.0.0.1:"+strconv.Itoa(port)+"/")
	quoted, _ := json.Marshal(string(home))
	text = strings.Replace(text, sourceHome, "const DATA_FOLDER = "+string(quoted)+";", 1)

	return text + seal(text)
}

const sealStart = "// Unchanged since `cove wrapper install`: "

// seal is the last line of the file. It shows a later installation whether a person has changed the file.
func seal(text string) string {
	sum := sha256.Sum256([]byte(text))
	return sealStart + hex.EncodeToString(sum[:8]) + "\n"
}

// changed reports whether a person has edited the file, or it is another file altogether.
func changed(text string) bool {
	text = strings.ReplaceAll(text, "\r\n", "\n") // an editor or git may have done that
	at := strings.LastIndex(text, sealStart)

	return at < 0 || text[at:] != seal(text[:at])
}

// ErrChanged says that a person has edited the file.
var ErrChanged = errors.New("the file has been changed by hand")

// Install writes the file into dir and returns its path. It leaves an edited file as it is and returns ErrChanged,
// unless force is set; then the old file stays beside the new one as .bak. It never replaces a file of another data
// folder: clients run it.
func Install(dir string, port int, home paths.Home, force bool) (file string, written bool, err error) {
	file = filepath.Join(dir, Name)
	text := Text(port, home)
	for range 5 {
		old, err := os.ReadFile(file)
		switch {
		case errors.Is(err, os.ErrNotExist):
			err := create(file, text)
			if errors.Is(err, os.ErrExist) { // another installation was faster
				continue
			}
			if err != nil {
				return file, false, unwritable(file, err)
			}
			return file, true, nil
		case err != nil:
			return file, false, unwritable(file, err)
		case string(old) == text:
			return file, false, nil
		}
		if err := checkOwner(file, string(old), home); err != nil {
			return file, false, err
		}
		err = replace(file, old, text, force)
		return file, err == nil, err
	}

	// It can neither be read nor made.
	return file, false, unwritable(file, fmt.Errorf("a link is there that leads nowhere: %w", os.ErrExist)).
		WithHint("Remove the link " + file + " and try again, or name another folder with --dir.")
}

// create writes a file that is not there yet. It never replaces one that another program has written meanwhile.
func create(file, text string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}

	draft, err := os.MkdirTemp(filepath.Dir(file), "."+Name+".*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(draft) }()
	whole := filepath.Join(draft, Name)
	if err := paths.WriteFile(whole, []byte(text)); err != nil {
		return err
	}
	if err := os.Link(whole, file); err == nil || errors.Is(err, os.ErrExist) {
		return err
	}

	return os.Rename(whole, file) // a disk without links
}

// replace writes a new text over a file of this data folder.
func replace(file string, old []byte, text string, force bool) error {
	if changed(string(old)) {
		if !force {
			return ErrChanged
		}
		if err := paths.WriteFile(file+".bak", old); err != nil {
			return unwritable(file, err)
		}
	}
	if err := paths.WriteFile(file, []byte(text)); err != nil {
		return unwritable(file, err)
	}

	return nil
}

func unwritable(file string, err error) *fault.Error {
	return fault.New(fault.CodeWrapperUnwritable, "The wrapper cannot be written to "+file+": "+cause(err)+".",
		"Name another folder with --dir.").Because(err)
}

// cause is what the system says, without the path.
func cause(err error) string {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}

	return err.Error()
}
