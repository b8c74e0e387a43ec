package storage

import (
	"context"
	"os"
	"path/filepath"

	"cove/internal/cookie"
	"cove/internal/external"
	"cove/internal/fault"
	"cove/internal/jar"
	"cove/internal/keeper/undo"
	"cove/internal/profile"
)

// Copy copies the data of a closed browser into the profile. The hidden browser has opened the profile's folder, and
// closes it before that: in a folder that was never opened, a browser would drop the cookies of the session.
func (s *Storage) Copy(ctx context.Context, from profile.External) (cookie.Transferred, error) {
	ctx, cancel, err := s.begin(ctx, callLimit)
	if err != nil {
		return cookie.Transferred{}, err
	}
	defer cancel()
	if !s.config.Hidden {
		return cookie.Transferred{}, s.importOpen()
	}
	dataDir := s.config.Spec.Options.DataDir
	profileDir := filepath.Join(dataDir, "Default")
	if err := s.unused(ctx, profileDir); err != nil {
		return cookie.Transferred{}, err
	}
	if err := undo.Arm(dataDir, "Default/IndexedDB"); err != nil {
		return cookie.Transferred{}, fault.Disk(err)
	}
	var found cookie.Data
	err = s.closeAnd(ctx, nil, func() (err error) {
		found, err = external.Copy(ctx, from, profileDir)
		return err
	})
	s.record("imported", found, err)
	return cookie.Transferred{Cookies: len(found.Cookies)}, err
}

// importOpen refuses an import from another browser into a profile that somebody has opened.
func (s *Storage) importOpen() error {
	id := s.config.Spec.ID.String()
	return fault.New(fault.CodeImportOpen, "Profile "+id+" is open.", "Close it first with: cove stop "+id)
}

// unused refuses a profile that has data of its own, which a copy would destroy.
func (s *Storage) unused(ctx context.Context, profileDir string) error {
	cookies, opaque, err := s.jar().Cookies(ctx)
	if err != nil {
		return err
	}
	entries, _ := os.ReadDir(filepath.Join(profileDir, "IndexedDB"))
	stored := len(jar.StoredOrigins(profileDir)) + len(entries)
	if len(cookies)+opaque+stored > 0 || jar.HasExtensionStorage(profileDir) {
		id := s.config.Spec.ID.String()
		return fault.New(fault.CodeImportUsed, "Profile "+id+" has logins of its own, and a closed browser's folder "+
			"can only be copied into a profile without any.", "Create a new profile with: cove profile create NAME."+
			" Or open that browser, and import single sites from it.")
	}
	return nil
}
