package jar

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cove/internal/keeper/jar/leveldb"
)

// StoredOrigins returns the origins that may have local storage, by the names of the records in a profile's folder. The
// protocol has no such list. Names of records that were deleted may be among them; what was stored a few seconds ago
// may be missing.
func StoredOrigins(profileDir string) []string {
	dir := filepath.Join(profileDir, "Local Storage", "leveldb")
	files, _ := os.ReadDir(dir)
	found := map[string]bool{}
	for _, file := range files {
		raw, err := os.ReadFile(filepath.Join(dir, file.Name()))
		if err != nil {
			continue
		}
		each := func(key []byte) {
			if origin := originOf(key); origin != "" {
				found[origin] = true
			}
		}
		switch filepath.Ext(file.Name()) {
		case ".log":
			leveldb.LogKeys(raw, each)
		case ".ldb", ".sst":
			leveldb.TableKeys(raw, each)
		}
	}
	origins := make([]string, 0, len(found))
	for origin := range found {
		origins = append(origins, origin)
	}
	slices.Sort(origins)
	return origins
}

// originOf returns the origin of a record, and "" for one that belongs to no origin of the web, or to a frame in pages
// of another site.
func originOf(key []byte) string {
	name, ok := bytes.CutPrefix(key, []byte("META:"))
	if !ok {
		if name, ok = bytes.CutPrefix(key, []byte("_")); !ok {
			return ""
		}
		name, _, _ = bytes.Cut(name, []byte{0})
	}
	return WebOrigin(string(name))
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
