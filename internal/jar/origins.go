package jar

import (
	"bytes"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cove/internal/jar/leveldb"
)

// StoredOrigins returns the origins that may have local storage, by the names of the records in a profile's folder. The
// protocol has no such list. Names of records that were deleted may be among them; what was stored a few seconds ago
// may be missing.
func StoredOrigins(profileDir string) []string {
	found := map[string]bool{}
	eachOwner(profileDir, func(owner string) {
		if origin := WebOrigin(owner); origin != "" {
			found[origin] = true
		}
	})
	return slices.Sorted(maps.Keys(found))
}

// HasExtensionStorage reports whether an extension may have local storage in a profile's folder.
func HasExtensionStorage(profileDir string) (has bool) {
	eachOwner(profileDir, func(owner string) { has = has || strings.HasPrefix(owner, "chrome-extension:") })
	return has
}

// eachOwner calls each with whom the records of local storage belong to, as the browser writes it.
func eachOwner(profileDir string, each func(owner string)) {
	dir := filepath.Join(profileDir, "Local Storage", "leveldb")
	files, _ := os.ReadDir(dir)
	for _, file := range files {
		raw, err := os.ReadFile(filepath.Join(dir, file.Name()))
		if err != nil {
			continue
		}
		key := func(key []byte) {
			if owner := ownerOf(key); owner != "" {
				each(owner)
			}
		}
		switch filepath.Ext(file.Name()) {
		case ".log":
			leveldb.LogKeys(raw, key)
		case ".ldb", ".sst":
			leveldb.TableKeys(raw, key)
		}
	}
}

// ownerOf returns whom a record belongs to; "" for one that says it of nobody.
func ownerOf(key []byte) string {
	name, ok := bytes.CutPrefix(key, []byte("META:"))
	if !ok {
		if name, ok = bytes.CutPrefix(key, []byte("_")); !ok {
			return ""
		}
		name, _, _ = bytes.Cut(name, []byte{0})
	}
	return string(name)
}

// WebOrigin returns the origin of an address, and "" if it is none of the web.
func WebOrigin(address string) string {
	if strings.Contains(address, "^") { // a partitioned one
		return ""
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
