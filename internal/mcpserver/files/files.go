// Package files gives tools the files that agents name, from the folders that their clients work in.
package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cove/internal/fault"
	"cove/internal/mcpserver/peer"
	"cove/internal/mcpserver/redaction"
	"cove/internal/protect"
)

// Config is what the files of one call need.
type Config struct {
	// Protected are the files that nobody gets.
	Protected *protect.Files
	// Folders are those of the client.
	Folders *Folders
	Peer    *peer.Peer
	// Redact removes secrets from what is written.
	Redact *redaction.Redactor
	// MayElicit says whether the person may be asked for a file in their client.
	MayElicit func() bool
}

// Files reads and writes the files that an agent names in one call. A name is refused when it is outside of the
// client's folders, unless the person allows it, and always when the file is protected.
type Files struct {
	config  Config
	allowed map[string]bool // files that the person has allowed
}

// New returns the files of one call.
func New(c Config) *Files { return &Files{config: c} }

// maxPath is the longest file name that every system accepts.
const maxPath = 1024

// Resolve checks a file name of an agent and makes it absolute. Nobody is asked about a protected file.
func (f *Files) Resolve(ctx context.Context, name string) (string, error) {
	if strings.ContainsRune(name, 0) {
		return "", fault.Invalidf("The file name holds a zero byte.")
	}
	if len(name) > maxPath {
		return "", fault.Invalidf("The file name is longer than %d bytes.", maxPath)
	}

	dirs, err := f.config.Folders.get(ctx, f.config.Peer, f.config.Protected)
	if err != nil {
		return "", err
	}
	full := name
	if !filepath.IsAbs(full) {
		full = filepath.Join(dirs[0], full)
	}
	full = filepath.Clean(full)
	if err := f.config.Protected.Check(full); err != nil {
		return "", err
	}
	target, err := protect.Real(full)
	if err != nil {
		return "", fault.Invalidf("%s cannot be used: %v.", full, err)
	}

	hidden := false
	for _, dir := range dirs {
		rel, inside := protect.Within(dir, target)
		if inside && !protect.Hidden(rel) {
			return full, nil
		}
		hidden = hidden || inside
	}
	if allowed, err := f.elicitFile(ctx, full); err != nil || allowed {
		return full, err
	}
	return "", outside(full, hidden, dirs)
}

func outside(full string, hidden bool, dirs []string) error {
	if hidden {
		return fault.New(fault.CodeFileDenied,
			"Access to "+full+" is denied: only the user can give hidden files and what is in hidden folders.",
			"Use a name without a dot at its beginning.")
	}
	return fault.New(fault.CodeFileDenied,
		fmt.Sprintf("Access to %s is denied: it is outside of the folders of this session (%s).",
			full, strings.Join(dirs, ", ")),
		"Use a file inside one of them.")
}

// elicitFile asks the person for a file, where the client can.
func (f *Files) elicitFile(ctx context.Context, name string) (bool, error) {
	if f.config.Peer.Session == nil || f.allowed[name] {
		return f.allowed[name], nil
	}
	if !f.config.Peer.CanElicit() || !f.config.MayElicit() {
		return false, nil
	}

	accepted, err := f.config.Peer.Elicit(ctx, "file "+name,
		"An agent wants to use the file "+name+" with a web page. Allow it?")
	if err != nil || !accepted {
		return false, err
	}
	if f.allowed == nil {
		f.allowed = map[string]bool{}
	}
	f.allowed[name] = true
	return true, nil
}

// Create opens a file of an agent for writing. It also returns the whole name.
func (f *Files) Create(ctx context.Context, name string) (*os.File, string, error) {
	full, err := f.Resolve(ctx, name)
	if err != nil {
		return nil, "", err
	}
	if info, err := os.Stat(full); err == nil && info.IsDir() {
		return nil, "", fault.Invalidf("%s is a folder.", full).WithHint("Give the name of a file in it.")
	}

	file, err := f.config.Protected.Create(full)
	var refused *fault.Error
	switch {
	case errors.As(err, &refused):
		return nil, "", refused
	case err != nil:
		return nil, "", fault.Disk(fault.Invalidf("%s cannot be written: %v.", full, cause(err)).Because(err))
	}
	return file, full, nil
}

// ForOutput returns the whole name of a file that a command of the agent writes itself.
func (f *Files) ForOutput(ctx context.Context, name string) (string, error) {
	full, err := f.Resolve(ctx, name)
	if err != nil {
		return "", err
	}
	if full, err = protect.Real(full); err != nil {
		return "", fault.Invalidf("%s cannot be used: %v.", name, cause(err))
	}
	if info, err := os.Stat(full); err == nil && !info.Mode().IsRegular() {
		return "", fault.Invalidf("%s is not a file.", full).WithHint("Give the name of a file.")
	}
	if info, err := os.Stat(filepath.Dir(full)); err != nil || !info.IsDir() {
		return "", fault.New(fault.CodeNoFile, "There is no folder "+filepath.Dir(full)+".", "Create it first.")
	}
	return full, nil
}

// Save writes data into a file of an agent, without secrets. It returns the whole name.
func (f *Files) Save(ctx context.Context, name string, data []byte) (string, error) {
	file, full, err := f.Create(ctx, name)
	if err != nil {
		return "", err
	}

	_, err = file.Write(f.config.Redact.Bytes(data))
	if cerr := file.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return "", fault.Disk(err)
	}
	return full, nil
}

// Load reads a file of an agent.
func (f *Files) Load(ctx context.Context, name string) ([]byte, error) {
	full, err := f.Resolve(ctx, name)
	if err != nil {
		return nil, err
	}

	file, err := f.config.Protected.Open(full)
	if err != nil {
		return nil, unreadable(full, err)
	}
	defer func() { _ = file.Close() }()
	raw, err := io.ReadAll(file)
	return raw, fault.Disk(err)
}

// ForBrowser returns the name of a file that the browser opens itself. No link is in it that could lead elsewhere by
// then.
func (f *Files) ForBrowser(ctx context.Context, name string) (string, error) {
	full, err := f.Resolve(ctx, name)
	if err != nil {
		return "", err
	}

	missing := fault.New(fault.CodeNoFile, fmt.Sprintf("There is no file %s.", full), "Check the path.")
	target, err := protect.Real(full)
	if err != nil {
		return "", missing
	}
	info, err := os.Stat(target)
	switch {
	case err != nil:
		return "", missing
	case info.IsDir():
		return "", fault.Invalidf("%s is a folder.", full).WithHint("Name the files in it.")
	case !info.Mode().IsRegular():
		return "", fault.Invalidf("%s is not a regular file.", full).WithHint("Copy its content into a file.")
	}
	return target, nil
}

// Version stands for what is in some files of an agent.
func (f *Files) Version(ctx context.Context, names []string) (string, error) {
	sum := sha256.New()
	for _, name := range names {
		full, err := f.ForBrowser(ctx, name)
		if err != nil {
			return "", err
		}
		if err := f.addContent(sum, full); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// addContent adds the hash of what is in a file to a sum.
func (f *Files) addContent(sum io.Writer, full string) error {
	file, err := f.config.Protected.Open(full)
	if err != nil {
		return unreadable(full, err)
	}
	defer func() { _ = file.Close() }()
	content := sha256.New()
	if _, err := io.Copy(content, file); err != nil {
		return unreadable(full, err)
	}
	_, err = sum.Write(content.Sum(nil))
	return err
}

func unreadable(full string, err error) error {
	return fault.New(fault.CodeNoFile,
		"The file "+full+" cannot be read: "+cause(err).Error()+".", "Check the path.")
}

// cause returns an error without its path, which the sentence names already.
func cause(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// PathsIn returns the file names in a call's arguments. Those of a batch are deeper.
func PathsIn(input any) (names []string) {
	switch v := input.(type) {
	case []any:
		for _, one := range v {
			names = append(names, PathsIn(one)...)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			names = append(names, pathsOf(key, v[key])...)
		}
	}
	return names
}

// pathsOf returns the file names in one argument: its key ends with Path or Paths.
func pathsOf(key string, value any) (names []string) {
	name, isText := value.(string)
	list, isList := value.([]any)
	switch {
	case isText && strings.HasSuffix(key, "Path") && name != "":
		return []string{name}
	case isList && strings.HasSuffix(key, "Paths"):
		for _, one := range list {
			if name, ok := one.(string); ok {
				names = append(names, name)
			}
		}
		return names
	}
	return PathsIn(value)
}
