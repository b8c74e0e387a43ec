package external

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"cove/internal/chromium"
	"cove/internal/cookie"
	"cove/internal/fault"
	"cove/internal/keeper/jar"
	"cove/internal/keeper/jar/cookiedb"
	"cove/internal/paths"
	"cove/internal/process"
	"cove/internal/profile"
)

// copied are the parts of a profile's folder that hold logins. Passwords, history, settings and extensions stay.
var copied = []string{"Cookies", "Local Storage", "IndexedDB"}

// CheckCopy lists what a copy of a closed browser's profile would bring, without values, and refuses one that would
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
	var found cookie.Data
	var rows []cookiedb.Row
	file := filepath.Join(from.Path(), "Cookies")
	if _, err := os.Stat(file); err == nil {
		if rows, err = cookiedb.Rows(ctx, file); err != nil {
			return found, errNoBrowser(from.Path(), err)
		}
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

const hintOpen = "Open that browser and import from it running."

// closed makes sure that no browser has a data folder open, and that the last one has closed it well.
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

// Copy copies what holds logins into a profile's folder without any, and returns what that is, without values. It fails
// if the browser was opened meanwhile. The copy is on the disk afterwards.
func Copy(ctx context.Context, from profile.External, to string) (cookie.Data, error) {
	found, err := CheckCopy(ctx, from)
	if err != nil {
		return found, err
	}
	if err := sameVersion(ctx, filepath.Join(from.Path(), "Cookies"), filepath.Join(to, "Cookies")); err != nil {
		return found, err
	}
	for _, name := range copied {
		if err := os.RemoveAll(filepath.Join(to, name)); err != nil {
			return found, fault.Disk(err)
		}
		if err := copyTree(filepath.Join(from.Path(), name), filepath.Join(to, name)); err != nil {
			return found, fault.Disk(err)
		}
	}
	return found, closed(from)
}

// sameVersion refuses the cookies of a browser that is newer than the one which gets them: it would drop all of them.
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

// copyTree copies a file or a folder. It follows no links, and what is not there is no error.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		switch {
		case os.IsNotExist(err) && name == from:
			return nil
		case err != nil:
			return err
		case !d.Type().IsRegular():
			return nil
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
			return err
		}
		return errors.Join(paths.CopyFile(name, target), paths.Flush(target))
	})
}
