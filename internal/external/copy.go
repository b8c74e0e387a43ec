package external

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"cove/internal/chromium"
	"cove/internal/cookie"
	"cove/internal/fault"
	"cove/internal/jar"
	"cove/internal/jar/cookiedb"
	"cove/internal/paths"
	"cove/internal/process"
	"cove/internal/profile"
)

// copied are the parts of a profile's folder that hold logins. Passwords, history, settings and extensions stay.
var copied = []string{"Cookies", "Local Storage", "IndexedDB"}

// CheckCopy lists what a copy of a closed browser's profile would bring, without values. It refuses a copy that would
// lose its cookies: a browser deletes every cookie that it cannot decrypt.
func CheckCopy(ctx context.Context, from profile.External) (cookie.Data, error) {
	if runtime.GOOS != "linux" {
		return cookie.Data{}, fault.New(fault.CodeImportKeyring,
			"On this system a browser's cookies are locked to that browser.", hintOpen)
	}
	if err := ours(from.Path()); err != nil {
		return cookie.Data{}, err
	}
	if err := closed(from); err != nil {
		return cookie.Data{}, err
	}
	if err := noLinks(from.Path()); err != nil {
		return cookie.Data{}, err
	}
	var found cookie.Data
	rows, err := rowsOf(ctx, from.Path())
	if err != nil {
		return found, fault.New(fault.CodeImportSourceOpen, "The cookies of that browser cannot be read: "+
			err.Error()+".", hintOpen).Because(err)
	}
	locked := 0
	for _, r := range rows {
		if r.Lock != "" && r.Lock != "v10" {
			locked++
		}
		found.Cookies = append(found.Cookies, cookie.Cookie{Domain: r.Host, Partition: r.TopSite})
	}
	if locked > 0 {
		return found, fault.New(fault.CodeImportKeyring,
			fmt.Sprintf("%d of %d cookies are locked with the desktop's keyring.", locked, len(rows)), hintOpen)
	}
	for _, origin := range jar.StoredOrigins(from.Path()) {
		found.Origins = append(found.Origins, cookie.Origin{Origin: origin})
	}
	return found, nil
}

// rowsOf lists the cookies in a profile's folder. A folder without cookies is no error.
func rowsOf(ctx context.Context, profileDir string) ([]cookiedb.Row, error) {
	file := filepath.Join(profileDir, "Cookies")
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return cookiedb.Rows(ctx, file)
}

// noLinks refuses a folder in which one of the copied parts is a link: the copy would hold only the link.
func noLinks(profileDir string) error {
	for _, name := range copied {
		info, err := os.Lstat(filepath.Join(profileDir, name))
		if err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return fault.New(fault.CodeImportSourceOpen, "The folder of that browser cannot be copied: "+
				strconv.Quote(name)+" is a link.", hintOpen)
		}
	}
	return nil
}

const hintOpen = "Open that browser and import from it running."

// closed fails while a browser has the data folder open, and if the last browser did not shut down cleanly.
func closed(from profile.External) error {
	if chromium.LockedByOther(from.DataDir, process.ID{}) {
		return fault.New(fault.CodeImportSourceOpen, "That browser is open, so its folder cannot be copied.",
			"Import from it while it is open, or close it first.")
	}
	journal, err := os.Stat(filepath.Join(from.Path(), "Cookies-journal"))
	if err == nil && journal.Size() > 0 {
		return fault.New(fault.CodeImportSourceOpen, "That browser did not close well, so its folder cannot be copied.",
			"Open it and close it again, or import from it while it is open.")
	}
	return nil
}

// Copy copies the parts of a profile that hold logins into the folder of a profile without any. It returns what it has
// copied, without values. It fails if the browser was opened in the meantime. When Copy returns, the disk has the copy.
func Copy(ctx context.Context, from profile.External, to string) (cookie.Data, error) {
	found, err := CheckCopy(ctx, from)
	if err != nil {
		return found, err
	}
	if err := sameVersion(ctx, filepath.Join(from.Path(), "Cookies"), filepath.Join(to, "Cookies")); err != nil {
		return found, err
	}
	if err := fits(from.Path(), to); err != nil {
		return found, err
	}
	for _, name := range copied {
		if err := os.RemoveAll(filepath.Join(to, name)); err != nil {
			return found, fault.Disk(err)
		}
		err := copyTree(ctx, filepath.Join(from.Path(), name), filepath.Join(to, name))
		if ctx.Err() != nil {
			return found, fault.New(fault.CodeTimeout, "Copying the folder of that browser took too long, so nothing "+
				"was imported.", hintOpen).Because(ctx.Err())
		}
		if err != nil {
			return found, fault.Disk(err)
		}
	}
	if rows, err := rowsOf(ctx, to); err != nil || len(rows) != len(found.Cookies) {
		return found, fault.New(fault.CodeImportSourceOpen,
			fmt.Sprintf("The copy has %d of %d cookies, so nothing was imported.", len(rows), len(found.Cookies)),
			hintOpen).Because(err)
	}
	return found, closed(from)
}

// spare is the disk space that a copy leaves free.
const spare = 64 << 20

// fits fails if the disk has no room for a copy.
func fits(profileDir, to string) error {
	size := int64(spare)
	for _, name := range copied {
		_ = walk(filepath.Join(profileDir, name), func(_ string, d fs.DirEntry) error {
			if info, err := d.Info(); err == nil {
				size += info.Size()
			}
			return nil
		})
	}
	if free, err := process.FreeBytes(filepath.Dir(to)); err == nil && free < uint64(size) {
		return fault.DiskFull(fmt.Sprintf("The copy needs %d MB, and the disk has %d MB left, so nothing was imported.",
			size>>20, free>>20))
	}
	return nil
}

// sameVersion refuses the cookies of a browser that is newer than the profile's own: the older one would drop all of
// them.
func sameVersion(ctx context.Context, theirs, ours string) error {
	if _, err := os.Stat(theirs); err != nil {
		return nil //nolint:nilerr // there are none
	}
	their, err := cookiedb.Version(ctx, theirs)
	if err != nil {
		return err
	}
	our, err := cookiedb.Version(ctx, ours)
	if err != nil {
		return err
	}
	if their > our {
		return fault.New(fault.CodeImportNewer, "That browser is newer than the one of the profile, which cannot read "+
			"its folder.", hintOpen+" Or update the browser that Cove uses.")
	}
	return nil
}

// isWeb reports whether a folder of IndexedDB belongs to a site. The others belong to extensions.
func isWeb(name string) bool {
	return strings.HasPrefix(name, "http_") || strings.HasPrefix(name, "https_")
}

// walk calls each for every file of a copied part, which is a file or a folder. A part that is not there is no error.
// walk follows no links.
func walk(from string, each func(rel string, d fs.DirEntry) error) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == from {
			return nil
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		switch {
		case err != nil:
			return err
		case d.IsDir() && filepath.Base(from) == "IndexedDB" && filepath.Dir(rel) == "." && rel != "." && !isWeb(rel):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		return each(rel, d)
	})
}

// copyTree copies a file or a folder.
func copyTree(ctx context.Context, from, to string) error {
	return walk(from, func(rel string, _ fs.DirEntry) error {
		target := filepath.Join(to, rel)
		if err := errors.Join(ctx.Err(), os.MkdirAll(filepath.Dir(target), 0o700)); err != nil {
			return err
		}
		return errors.Join(paths.CopyFile(filepath.Join(from, rel), target), paths.Flush(target))
	})
}
