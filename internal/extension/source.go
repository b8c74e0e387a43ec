package extension

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"cove/internal/fault"
)

// Limits of an extension. MaxArchive bounds the file that is sent, the others what it becomes on the disk.
const (
	MaxArchive  = 64 << 20
	maxUnpacked = 512 << 20
	maxFiles    = 20_000
	maxManifest = 1 << 20
)

// Source is the files of an extension before Cove has a copy of them. Every name in it was checked.
type Source struct {
	files []file
	key   string // of a .crx file
}

// file is one file of an extension. Its name has slashes and no folder in front.
type file struct {
	name string
	size int64
	open func() (io.ReadCloser, error)
}

// Open reads the table of contents of a .zip or a .crx file. It trusts no name and no size in it.
func Open(r io.ReaderAt, size int64) (*Source, error) {
	s := &Source{}
	magic := make([]byte, len(crxMagic))
	if _, err := r.ReadAt(magic, 0); err == nil && string(magic) == crxMagic {
		h, err := readCRX(r, size)
		if err != nil {
			return nil, err
		}
		s.key = h.base64Key()
		r, size = io.NewSectionReader(r, h.size, size-h.size), size-h.size
	}
	if n, err := countEntries(r, size); err != nil {
		return nil, err
	} else if n > maxEntries {
		return nil, errLarge()
	}
	archive, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fault.Unprocessablef("file", "The file is neither a .zip nor a .crx file that can be read.").
			WithHint("Send the extension as a .zip or a .crx file.").Because(err)
	}
	for _, f := range archive.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		if !f.Mode().IsRegular() {
			return nil, errLink(f.Name)
		}
		//nolint:gosec // it is small
		s.files = append(s.files, file{f.Name, int64(min(f.UncompressedSize64, maxUnpacked+1)), f.Open})
	}
	return s, s.check()
}

// maxEntries bounds the entries of an archive, which has folders and more beside the files.
const maxEntries = 2 * maxFiles

// countEntries returns how many entries an archive can have at most. Each of them begins with a signature; what an
// archive says about their number can be wrong, and the reader makes something of every entry before it compares.
func countEntries(r io.ReaderAt, size int64) (n int, err error) {
	signature := []byte("PK\x01\x02")
	in, block := io.NewSectionReader(r, 0, size), make([]byte, 1<<20)
	kept := 0 // bytes of the block before, which may hold the beginning of a signature
	for {
		read, err := io.ReadFull(in, block[kept:])
		n += bytes.Count(block[:kept+read], signature)
		if err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				err = nil
			}
			return n, err
		}
		kept = copy(block, block[len(block)-len(signature)+1:])
	}
}

// errLink refuses what is neither a file nor a folder.
func errLink(name string) error {
	return fault.Unprocessablef("file", "%q in the extension is a link or a device.", oneLine(name, maxTitle)).
		WithHint("Replace it with a copy of the file.")
}

// check finds the folder of the manifest, drops what is not the extension's, and refuses what cannot be stored.
func (s *Source) check() error {
	s.files = slices.DeleteFunc(s.files, func(f file) bool { return junk(f.name) })
	if err := s.enterFolder(); err != nil {
		return err
	}
	// Stores put their signatures into this folder; a browser refuses it in an extension of a folder.
	s.files = slices.DeleteFunc(s.files, func(f file) bool { return strings.HasPrefix(f.name, "_metadata/") })
	if len(s.files) > maxFiles {
		return errLarge()
	}
	slices.SortFunc(s.files, func(a, b file) int { return strings.Compare(a.name, b.name) })

	var total int64
	seen := map[string]bool{}
	for _, f := range s.files {
		if err := checkName(f.name); err != nil {
			return err
		}
		if total += f.size; f.size < 0 || total > maxUnpacked {
			return errLarge()
		}
		if err := seenBefore(seen, f.name); err != nil {
			return err
		}
	}
	return nil
}

// seenBefore refuses two files, or a file and a folder, whose names are the same on a system that ignores case.
func seenBefore(seen map[string]bool, name string) error {
	lower := strings.ToLower(name)
	isFile, there := seen[lower]
	for dir := path.Dir(lower); dir != "." && !there; dir = path.Dir(dir) {
		if seen[dir] {
			there, isFile = true, true
		}
		seen[dir] = false
	}
	if there || isFile {
		return fault.Unprocessablef("file", "The extension has two files of the name %q.", oneLine(name, maxTitle)).
			WithHint("Rename one of them; some systems take capital and small letters for the same.")
	}
	seen[lower] = true
	return nil
}

// junk reports whether an archive program or a file manager added a file.
func junk(name string) bool {
	return strings.HasPrefix(name, "__MACOSX/") || path.Base(name) == ".DS_Store" || path.Base(name) == "Thumbs.db" ||
		strings.HasPrefix(name, ".git/")
}

// enterFolder makes the names relative to the manifest's folder: many archives have one folder with everything in it.
func (s *Source) enterFolder() error {
	var folders []string
	for _, f := range s.files {
		if f.name == manifestName {
			return nil
		}
		if dir, name := path.Split(f.name); name == manifestName && strings.Count(dir, "/") == 1 {
			folders = append(folders, dir)
		}
	}
	if len(folders) != 1 {
		return fault.Unprocessablef("file", "There is no manifest.json, so this is not an extension.").
			WithHint(manifestHint)
	}
	for i := range s.files {
		rest, ok := strings.CutPrefix(s.files[i].name, folders[0])
		if !ok {
			s.files[i].name = "" // beside the extension
			continue
		}
		s.files[i].name = rest
	}
	s.files = slices.DeleteFunc(s.files, func(f file) bool { return f.name == "" })
	return nil
}

func errLarge() error {
	return fault.Unprocessablef("file", "The extension is too large: at most %d MB and %d files.", maxUnpacked>>20,
		maxFiles).WithHint("Remove what the extension does not need.")
}

// Extension reads the manifest and hashes all files.
func (s *Source) Extension() (Extension, error) {
	raw, err := s.read(manifestName)
	if err != nil {
		return Extension{}, err
	}
	manifest, in, err := parseManifest(raw, func(locale string) []byte {
		text, _ := s.read("_locales/" + locale + "/messages.json") // a name without a text stays as it is
		return text
	})
	if err != nil {
		return Extension{}, err
	}

	e := Extension{Name: manifest.Title, Manifest: manifest, Key: s.key}
	if e.Content, e.Size, err = s.hash(); err != nil {
		return Extension{}, err
	}
	if e.Key == "" {
		e.Key = strings.Join(strings.Fields(in.Key), "")
	}
	if e.Key == "" {
		e.Key = keyFor(e.Content)
	}
	if e.BrowserID, err = browserID(e.Key); err != nil {
		return Extension{}, fault.Unprocessablef("file", "The key in the extension's manifest.json cannot be read.").
			WithHint("Remove the key; Cove then makes one.")
	}
	return e, nil
}

// read returns a small file.
func (s *Source) read(name string) ([]byte, error) {
	i := slices.IndexFunc(s.files, func(f file) bool { return f.name == name })
	if i < 0 || s.files[i].size > maxManifest {
		return nil, fault.Unprocessablef("file", "The extension has no %s that can be read.", oneLine(name, maxTitle)).
			WithHint(manifestHint)
	}
	var out bytes.Buffer
	err := s.files[i].copy(&out)
	return out.Bytes(), err
}

// hash returns the hash of all names and contents, and their size.
func (s *Source) hash() (content string, size int64, err error) {
	all := sha256.New()
	for _, f := range s.files {
		one := sha256.New()
		if err := f.copy(one); err != nil {
			return "", 0, err
		}
		_ = binary.Write(all, binary.BigEndian, int64(len(f.name)))
		_, _ = io.WriteString(all, f.name)
		all.Write(one.Sum(nil))
		size += f.size
	}
	return hex.EncodeToString(all.Sum(nil)), size, nil
}

// copy writes the file's content, and not a byte more than the archive said.
func (f file) copy(w io.Writer) error {
	r, err := f.open()
	if err != nil {
		return errDamaged(f.name, err)
	}
	defer func() { _ = r.Close() }()
	n, err := io.Copy(w, io.LimitReader(readErrors{r}, f.size+1))
	if read := (*readError)(nil); errors.As(err, &read) || err == nil && n != f.size {
		return errDamaged(f.name, err)
	}
	return err
}

func errDamaged(name string, err error) error {
	return fault.Unprocessablef("file", "The file %q of the extension cannot be read.", oneLine(name, maxTitle)).
		WithHint("Download or pack the extension again; an archive cannot have a password.").Because(err)
}

// readErrors marks the errors of reading, to tell them from those of writing.
type readErrors struct{ io.Reader }

type readError struct{ error }

func (r readErrors) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = &readError{err}
	}
	return n, err
}

// Each calls do with the name and the content of every file. The manifest has the key of e.
func (s *Source) Each(e Extension, do func(name string, write func(io.Writer) error) error) error {
	for _, f := range s.files {
		write := f.copy
		if f.name == manifestName {
			write = func(w io.Writer) error {
				raw, err := s.read(manifestName)
				if err != nil {
					return err
				}
				if raw, err = withKey(raw, e.Key); err != nil {
					return err
				}
				_, err = w.Write(raw)
				return err
			}
		}
		if err := do(f.name, write); err != nil {
			return err
		}
	}
	return nil
}
