package control

import (
	"context"
	"errors"
	"io"
	"mime/multipart"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"cove/internal/fault"
	"cove/internal/page"
)

// maxFiles is how many files a person can give a page at once.
const maxFiles = 20

// Files gives the page the files that it has asked for. Without a file it only ends the question of the page.
func (c *Controller) Files(ctx context.Context, tab string, parts *multipart.Reader) error {
	s, err := c.session(tab)
	if err != nil {
		return err
	}
	s.touch()
	open, ok := s.tab.Target.OpenChooser()
	if !ok || open.Backend == 0 {
		return fault.New(fault.CodeNoChooser, "The page does not ask for a file.", "Press its button again.")
	}
	names, err := c.save(parts)
	if err != nil {
		return err
	}
	if len(names) > 1 && !open.Multiple {
		return fault.Fieldf("file", "The page takes one file here, and %d were given.", len(names))
	}

	s.tab.Target.AcceptChooser()
	c.changed.Broadcast()
	if len(names) == 0 {
		return nil
	}
	params := map[string]any{"files": names, "backendNodeId": open.Backend}
	return s.tab.Target.Call(ctx, open.Session, "DOM.setFileInputFiles", params, nil)
}

// save writes the person's files into a folder of their own, from which the page reads them when it likes.
func (c *Controller) save(parts *multipart.Reader) (names []string, err error) {
	for n := 0; ; n++ {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return names, nil
		}
		if err != nil {
			return nil, fault.Invalidf("The files could not be read.").Because(err)
		}
		if part.FileName() == "" {
			continue
		}
		if n >= maxFiles {
			return nil, fault.Fieldf("file", "Choose at most %d files at a time.", maxFiles)
		}
		name, err := c.saveOne(part, part.FileName())
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
}

func (c *Controller) saveOne(from io.Reader, name string) (path string, err error) {
	c.mu.Lock()
	if c.folder == "" {
		c.folder, err = os.MkdirTemp("", "cove-files-")
	}
	folder := c.folder
	c.mu.Unlock()
	if err != nil {
		return "", fault.Disk(err)
	}
	dir, err := os.MkdirTemp(folder, "")
	if err != nil {
		return "", fault.Disk(err)
	}
	path = filepath.Join(dir, cleanName(name))
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", fault.Disk(err)
	}
	_, err = io.Copy(f, from)
	if err := errors.Join(err, f.Close()); err != nil {
		return "", fault.Disk(err)
	}
	return path, nil
}

// cleanName removes the folder from the name of a file, and replaces what some system does not allow in a name.
func cleanName(name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || strings.ContainsRune(`<>:"|?*`, r) {
			return '_'
		}
		return r
	}, name)
	if name = strings.Trim(name, " ."); name == "" {
		return "file"
	}
	return name
}

// Download opens a file that was saved while the person was in control.
func (c *Controller) Download(b *page.Browser, id string) (f *os.File, name string, err error) {
	c.mu.Lock()
	offered := c.offered[id]
	c.mu.Unlock()
	for _, d := range b.Downloads(0) {
		if d.ID != id || !offered || d.State != "completed" || d.Path == "" {
			continue
		}
		f, err := os.Open(d.Path)
		if err != nil {
			return nil, "", fault.New(fault.CodeNoFile, "The file is no longer there.", "Save it again.").Because(err)
		}
		return f, d.Name, nil
	}
	return nil, "", fault.New(fault.CodeNoFile, "There is no download "+strconv.Quote(id)+".", "Save the file again.")
}
