package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cove/internal/fault"
	"cove/internal/protect"
)

// folders are where an agent may read and write files: what its client says (roots), else the folder that the client runs in,
// and the temporary folder always. A page that talks an agent into uploading a key file gets nothing.
func (c *call) folders(ctx context.Context) ([]string, error) {
	c.client.mu.Lock()
	known := c.client.roots
	c.client.mu.Unlock()
	if known != nil {
		return known, nil
	}
	found, err := c.clientRoots(ctx)
	if err != nil {
		return nil, err
	}
	if dir := c.client.hello.Dir; len(found) == 0 && dir != "" {
		found = append(found, dir)
	}
	// A client that names the home folder or the root has not chosen a folder. Single files in such a one are for the person to allow.
	found = slices.DeleteFunc(found, func(dir string) bool { return !c.server.Files.Narrow(dir) })
	found = append(found, os.TempDir())
	if runtime.GOOS != "windows" {
		found = append(found, "/tmp")
	}
	for i, dir := range found {
		if resolved, err := filepath.EvalSymlinks(dir); err == nil {
			found[i] = resolved
		}
	}
	for i := len(found) - 1; i > 0; i-- {
		if slices.Contains(found[:i], found[i]) {
			found = slices.Delete(found, i, i+1)
		}
	}
	c.client.mu.Lock()
	c.client.roots = found
	c.client.mu.Unlock()
	return found, nil
}

// question is a call that can go on only when the client has answered.
type question struct{ requests mcp.InputRequestMap }

func (q *question) Error() string { return "the client has to answer first" }

// asksInAnswers: clients of the newest protocol take no requests; they are asked in the answer and call again with what they say.
func (c *call) asksInAnswers() bool {
	p := c.session.InitializeParams()
	return p != nil && p.ProtocolVersion >= withoutSessions
}

// clientRoots are the folders that the client names, if it can.
func (c *call) clientRoots(ctx context.Context) ([]string, error) {
	found := []string{}
	if c.session == nil {
		return found, nil
	}
	p := c.session.InitializeParams()
	if p == nil || p.Capabilities == nil || p.Capabilities.RootsV2 == nil { //nolint:staticcheck // deprecated, and what clients have
		return found, nil
	}
	var r *mcp.ListRootsResult //nolint:staticcheck // the same
	if c.asksInAnswers() {
		reply, told := c.replies["roots"]
		if !told {
			return nil, &question{mcp.InputRequestMap{"roots": &mcp.ListRootsParams{}}} //nolint:staticcheck // the same
		}
		r, _ = reply.(*mcp.ListRootsResult) //nolint:staticcheck // the same
	} else {
		r, _ = c.session.ListRoots(ctx, nil) //nolint:staticcheck // the same
	}
	if r == nil {
		return found, nil
	}
	for _, root := range r.Roots {
		if u, err := url.Parse(root.URI); err == nil && u.Scheme == "file" {
			found = append(found, filePath(u))
		}
	}
	return found, nil
}

// askFirst checks the files that a call names before it does anything: a refusal must not come after the deed.
func (c *call) askFirst(ctx context.Context, t tool, raw json.RawMessage) error {
	var input any
	if wrong := json.Unmarshal(raw, &input) != nil || (t.check != nil && t.check(raw) != nil); wrong {
		return nil // the tool says what is wrong
	}
	for _, name := range pathsIn(input) {
		if _, err := c.path(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// pathsIn finds the file names in a call's arguments; those of a batch are deeper.
func pathsIn(input any) (names []string) {
	switch v := input.(type) {
	case []any:
		for _, one := range v {
			names = append(names, pathsIn(one)...)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			name, isText := v[key].(string)
			list, isList := v[key].([]any)
			switch {
			case isText && strings.HasSuffix(key, "Path") && name != "":
				names = append(names, name)
			case isList && strings.HasSuffix(key, "Paths"):
				for _, one := range list {
					if name, ok := one.(string); ok {
						names = append(names, name)
					}
				}
			default:
				names = append(names, pathsIn(v[key])...)
			}
		}
	}
	return names
}

func (c *client) forgetRoots() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.roots = nil
}

func filePath(u *url.URL) string {
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	return filepath.FromSlash(path)
}

// maxPath is the longest file name that every system takes.
const maxPath = 1024

// path checks a file name of an agent and makes it absolute. What is protected is not asked about: nobody means that.
func (c *call) path(ctx context.Context, name string) (string, error) {
	if strings.ContainsRune(name, 0) {
		return "", fault.Invalidf("The file name holds a zero byte.")
	}
	if len(name) > maxPath {
		return "", fault.Invalidf("The file name is longer than %d bytes.", maxPath)
	}
	allowed, err := c.folders(ctx)
	if err != nil {
		return "", err
	}
	full := name
	if !filepath.IsAbs(full) {
		full = filepath.Join(allowed[0], full)
	}
	full = filepath.Clean(full)
	if err := c.server.Files.Check(full); err != nil {
		return "", err
	}
	resolved, err := protect.Real(full)
	if err != nil {
		return "", fault.Invalidf("%s cannot be used: %v.", full, err)
	}
	hidden := false
	for _, dir := range allowed {
		rel, inside := protect.Within(dir, resolved)
		if inside && !protect.Hidden(rel) {
			return full, nil
		}
		hidden = hidden || inside
	}
	permitted, err := c.permits(ctx, full)
	if err != nil || permitted {
		return full, err
	}
	if hidden {
		return "", fault.New(fault.Denied, "E_FILE", "Access to "+full+" is denied: hidden files and what is in hidden folders are for the person to give.", "Use a name without a dot at its beginning.")
	}
	return "", fault.New(fault.Denied, "E_FILE", fmt.Sprintf("Access to %s is denied: it is outside of the folders of this session (%s).", full, strings.Join(allowed, ", ")), "Use a file inside one of them.")
}

// permits asks the person, where the client can.
func (c *call) permits(ctx context.Context, name string) (bool, error) {
	if c.session == nil || c.allowed[name] {
		return c.allowed[name], nil
	}
	if !c.canAsk() || (c.server.Enforcer.Rules().BindsPrograms() && !c.answers()) {
		return false, nil
	}
	ask := &mcp.ElicitParams{Message: "An agent wants to use the file " + name + " with a web page. Allow it?",
		RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}}}
	var r *mcp.ElicitResult
	if c.asksInAnswers() {
		reply, told := c.replies["file "+name]
		if !told {
			return false, &question{mcp.InputRequestMap{"file " + name: ask}}
		}
		r, _ = reply.(*mcp.ElicitResult)
	} else {
		r, _ = c.session.Elicit(ctx, ask)
	}
	if r == nil || r.Action != "accept" {
		return false, nil
	}
	if c.allowed == nil {
		c.allowed = map[string]bool{}
	}
	c.allowed[name] = true
	return true, nil
}

// create opens a file of an agent for writing.
func (c *call) create(ctx context.Context, name string) (*os.File, string, error) {
	full, err := c.path(ctx, name)
	if err != nil {
		return nil, "", err
	}
	if info, err := os.Stat(full); err == nil && info.IsDir() {
		return nil, "", fault.Invalidf("%s is a folder.", full).WithHint("Give the name of a file in it.")
	}
	f, err := c.server.Files.Create(full)
	var told *fault.Error
	switch {
	case errors.As(err, &told):
		return nil, "", told
	case err != nil:
		return nil, "", fault.Disk(fault.Invalidf("%s cannot be written: %v.", full, cause(err)).Because(err))
	}
	return f, full, nil
}

// cause is an error without the path, which the sentence has.
func cause(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// read reads a file of an agent.
func (c *call) read(ctx context.Context, name string) ([]byte, error) {
	full, err := c.path(ctx, name)
	if err != nil {
		return nil, err
	}
	f, err := c.server.Files.Open(full)
	if err != nil {
		return nil, fault.New(fault.NotFound, "E_FILE", "The file "+full+" cannot be read: "+cause(err).Error()+".", "Check the path.")
	}
	defer func() { _ = f.Close() }()
	raw, err := io.ReadAll(f)
	return raw, fault.Disk(err)
}

// given is a file of an agent that the browser opens itself: by its own name, behind no link that could lead elsewhere by then.
func (c *call) given(ctx context.Context, name string) (string, error) {
	full, err := c.path(ctx, name)
	if err != nil {
		return "", err
	}
	missing := fault.New(fault.NotFound, "E_FILE", fmt.Sprintf("There is no file %s.", full), "Check the path.")
	resolved, err := protect.Real(full)
	if err != nil {
		return "", missing
	}
	if info, err := os.Stat(resolved); err != nil || !info.Mode().IsRegular() {
		return "", missing
	}
	return resolved, nil
}

// save writes a file of an agent.
func (c *call) save(ctx context.Context, name string, data []byte) (string, error) {
	f, full, err := c.create(ctx, name)
	if err != nil {
		return "", err
	}
	_, err = f.Write(c.server.hider().Bytes(data))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return "", fault.Disk(err)
	}
	return full, nil
}
