package files

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"cove/internal/mcpserver/peer"
	"cove/internal/protect"
)

// Folders are where the agent of one client may read and write files: the roots that the client names, else the folder
// that the client runs in, and the temporary folder always. A page that talks an agent into uploading a key file from
// anywhere else gets nothing.
type Folders struct {
	// Dir is the folder that the client runs in; "" when unknown.
	Dir string

	mu    sync.Mutex
	found []string // nil before the client was asked
}

// get returns the folders. The first one is where relative names belong.
func (f *Folders) get(ctx context.Context, p *peer.Peer, protected *protect.Files) ([]string, error) {
	f.mu.Lock()
	known := f.found
	f.mu.Unlock()
	if known != nil {
		return known, nil
	}

	found, err := p.Roots(ctx)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 && f.Dir != "" {
		found = append(found, f.Dir)
	}
	// A client that names the home folder or the root has not chosen a folder. The person can allow single files there.
	found = slices.DeleteFunc(found, func(dir string) bool { return !protected.Narrow(dir) })
	found = append(found, os.TempDir())
	if runtime.GOOS != "windows" {
		found = append(found, "/tmp")
	}
	found = resolved(found)

	f.mu.Lock()
	defer f.mu.Unlock()
	f.found = found
	return found, nil
}

// Forget makes the next call ask the client again.
func (f *Folders) Forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.found = nil
}

// resolved returns the folders behind links, each of them once.
func resolved(dirs []string) []string {
	for i, dir := range dirs {
		if to, err := filepath.EvalSymlinks(dir); err == nil {
			dirs[i] = to
		}
	}
	for i := len(dirs) - 1; i > 0; i-- {
		if slices.Contains(dirs[:i], dirs[i]) {
			dirs = slices.Delete(dirs, i, i+1)
		}
	}
	return dirs
}
