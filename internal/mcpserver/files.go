package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cove/internal/fault"
)

// folders are where an agent may read and write files: what its client says (roots), else the folder that the client runs in,
// and the temporary folder always. A page that talks an agent into uploading a key file gets nothing.
func (c *call) folders(ctx context.Context) []string {
	c.client.mu.Lock()
	known := c.client.roots
	c.client.mu.Unlock()
	if known != nil {
		return known
	}
	found := []string{}
	if c.session != nil {
		if p := c.session.InitializeParams(); p != nil && p.Capabilities != nil && (p.Capabilities.RootsV2 != nil) { //nolint:staticcheck // deprecated, and what clients have
			if r, err := c.session.ListRoots(ctx, nil); err == nil { //nolint:staticcheck // the same
				for _, root := range r.Roots {
					if u, err := url.Parse(root.URI); err == nil && u.Scheme == "file" {
						found = append(found, filePath(u))
					}
				}
			}
		}
	}
	if dir := c.client.hello.Dir; len(found) == 0 && dir != "" && !tooWide(dir) {
		found = append(found, dir)
	}
	found = append(found, os.TempDir())
	if runtime.GOOS != "windows" {
		found = append(found, "/tmp")
	}
	for i, dir := range found {
		if resolved, err := filepath.EvalSymlinks(dir); err == nil {
			found[i] = resolved
		}
	}
	c.client.mu.Lock()
	c.client.roots = found
	c.client.mu.Unlock()
	return found
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

// tooWide: a client that runs in the home folder or at the root has not chosen a folder.
func tooWide(dir string) bool {
	home, err := os.UserHomeDir()
	return dir == filepath.Dir(dir) || (err == nil && filepath.Clean(dir) == filepath.Clean(home))
}

// maxPath is the longest file name that every system takes.
const maxPath = 1024

// path checks a file name of an agent and makes it absolute.
func (c *call) path(ctx context.Context, name string) (string, error) {
	if strings.ContainsRune(name, 0) {
		return "", fault.Invalidf("The file name holds a zero byte.")
	}
	if len(name) > maxPath {
		return "", fault.Invalidf("The file name is longer than %d bytes.", maxPath)
	}
	allowed := c.folders(ctx)
	full := name
	if !filepath.IsAbs(full) {
		full = filepath.Join(allowed[0], full)
	}
	full = filepath.Clean(full)
	real, err := realPath(full)
	if err != nil {
		return "", fault.Invalidf("%s cannot be used: %v.", full, err)
	}
	for _, dir := range allowed {
		if rel, err := filepath.Rel(dir, real); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return full, nil
		}
	}
	if c.permits(ctx, full) {
		return full, nil
	}
	return "", fault.New(fault.Denied, "E_FILE", fmt.Sprintf("Access to %s is denied: it is outside of the folders of this session (%s).", full, strings.Join(allowed, ", ")), "Use a file inside one of them.")
}

// permits asks the person, where the client can.
func (c *call) permits(ctx context.Context, name string) bool {
	if c.session == nil {
		return false
	}
	p := c.session.InitializeParams()
	if p == nil || p.Capabilities == nil || p.Capabilities.Elicitation == nil {
		return false
	}
	r, err := c.session.Elicit(ctx, &mcp.ElicitParams{Message: "An agent wants to use the file " + name + " with a web page. Allow it?",
		RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}}})
	return err == nil && r.Action == "accept"
}

// realPath follows links as far as the path exists.
func realPath(path string) (string, error) {
	rest := ""
	for dir := path; ; dir = filepath.Dir(dir) {
		resolved, err := filepath.EvalSymlinks(dir)
		if err == nil {
			return filepath.Join(resolved, rest), nil
		}
		if !errors.Is(err, os.ErrNotExist) || dir == filepath.Dir(dir) {
			return "", err
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}

// create opens a file of an agent for writing.
func (c *call) create(ctx context.Context, name string) (*os.File, string, error) {
	full, err := c.path(ctx, name)
	if err != nil {
		return nil, "", err
	}
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		return nil, "", fault.Invalidf("%s cannot be written: %v.", full, err)
	}
	f, err := os.OpenFile(full, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, "", fault.Disk(fault.Invalidf("%s cannot be written.", full).Because(err))
	}
	return f, full, nil
}

// save writes a file of an agent.
func (c *call) save(ctx context.Context, name string, data []byte) (string, error) {
	f, full, err := c.create(ctx, name)
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return "", fault.Disk(err)
	}
	return full, nil
}
