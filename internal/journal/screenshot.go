package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"cove/internal/fault"
	"cove/internal/paths"
)

const (
	screenshotExtension = ".jpg"
	screenshotHashChars = 2 * sha256.Size
)

// screenshotPrefix returns the prefix of the names of all screenshots that belong to one file of the journal. The
// screenshots are removed with that file.
func screenshotPrefix(file int) string { return fmt.Sprintf("%08d-", file) }

// parseScreenshotName reads a name such as 00000001-<sha256 in hex>.jpg: the journal's file, and the screenshot's hash.
func parseScreenshotName(name string) (file int, hash string, ok bool) {
	body, isImage := strings.CutSuffix(name, screenshotExtension)
	digits, hash, hasHash := strings.Cut(body, "-")
	file, err := strconv.Atoi(digits)
	if !isImage || !hasHash || err != nil || len(digits) < 8 || len(hash) != screenshotHashChars {
		return 0, "", false
	}
	if strings.Trim(digits, "0123456789") != "" || strings.Trim(hash, "0123456789abcdef") != "" {
		return 0, "", false
	}
	return file, hash, true
}

func (l Location) screenshotFile(name string) string {
	return filepath.Join(l.Dir.JournalPictures(), name)
}

// storeScreenshot writes an image and returns its name. written is false for an image that was there already.
func (l Location) storeScreenshot(file int, image []byte) (name string, written bool, err error) {
	sum := sha256.Sum256(image)
	name = screenshotPrefix(file) + hex.EncodeToString(sum[:]) + screenshotExtension
	if info, err := os.Stat(l.screenshotFile(name)); err == nil && info.Size() == int64(len(image)) {
		return name, false, nil
	}
	return name, true, paths.WriteVolatile(l.screenshotFile(name), image)
}

// screenshotSizes returns the total size of the screenshots for each file of the journal.
func (l Location) screenshotSizes() map[int]int64 {
	sizes := map[int]int64{}
	found, _ := os.ReadDir(l.Dir.JournalPictures())
	for _, f := range found {
		file, _, ok := parseScreenshotName(f.Name())
		if info, err := f.Info(); err == nil && ok {
			sizes[file] += info.Size()
		}
	}
	return sizes
}

// checkScreenshot returns what is wrong with a screenshot, or "" if it is intact.
func (l Location) checkScreenshot(name string) string {
	_, hash, ok := parseScreenshotName(name)
	if !ok {
		return "names a screenshot that cannot exist"
	}
	f, err := os.Open(l.screenshotFile(name))
	if err != nil {
		return "has no screenshot any more: " + name + " is missing"
	}
	defer func() { _ = f.Close() }()

	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil || hex.EncodeToString(sum.Sum(nil)) != hash {
		return "has a changed screenshot: " + name
	}
	return ""
}

// Screenshot reads a screenshot that an entry names.
func Screenshot(l Location, name string) ([]byte, error) {
	missing := fault.New(fault.CodeNotFound, "There is no such screenshot.",
		"The journal's entries name their screenshots.")
	if _, _, ok := parseScreenshotName(name); !ok {
		return nil, missing
	}
	raw, err := os.ReadFile(l.screenshotFile(name))
	if err != nil {
		return nil, missing.Because(err)
	}
	return raw, nil
}

// ScreenshotSize returns the size of a screenshot that an entry names.
func ScreenshotSize(l Location, name string) (int64, error) {
	if _, _, ok := parseScreenshotName(name); !ok {
		return 0, os.ErrNotExist
	}
	info, err := os.Stat(l.screenshotFile(name))
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// ScreenshotHash returns the SHA-256 that the screenshot of this name has, in hex. It returns false for any other name.
func ScreenshotHash(name string) (string, bool) {
	_, hash, ok := parseScreenshotName(name)
	return hash, ok
}
