package extension

import (
	"archive/zip"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"cove/internal/fault"
)

// OpenFolder reads the names of the files in a folder. It follows no links.
func OpenFolder(dir string) (*Source, error) {
	s := &Source{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".git" {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return errLink(name)
		}
		if len(s.files) > maxFiles {
			return errLarge()
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		open := func() (io.ReadCloser, error) { return os.Open(name) }
		s.files = append(s.files, file{filepath.ToSlash(rel), info.Size(), open})
		return nil
	})
	if err != nil {
		if fault.KindOf(err) == fault.Unprocessable {
			return nil, err
		}
		return nil, fault.New(fault.CodeNoFile, "The folder cannot be read: "+err.Error()+".",
			"Check its path and its permissions.").Because(err)
	}
	return s, s.check()
}

// Zip writes the files as a .zip file.
func (s *Source) Zip(w io.Writer) error {
	archive := zip.NewWriter(w)
	for _, f := range s.files {
		to, err := archive.Create(f.name)
		if err != nil {
			return err
		}
		if err := f.copy(to); err != nil {
			return err
		}
	}
	return archive.Close()
}
