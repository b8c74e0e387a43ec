package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"cove/internal/fault"
	"cove/internal/paths"
)

// A picture is named by the journal's file that names it, with which it goes, and by its own hash.
var pictureName = regexp.MustCompile(`^(\d{8,})-([0-9a-f]{64})\.jpg$`)

func picturePrefix(file int) string { return fmt.Sprintf("%08d-", file) }

func (p Place) picture(name string) string { return filepath.Join(p.Dir.JournalPictures(), name) }

// putPicture keeps a picture and answers its name.
func (p Place) putPicture(file int, picture []byte) (string, error) {
	sum := sha256.Sum256(picture)
	name := picturePrefix(file) + hex.EncodeToString(sum[:]) + ".jpg"
	if info, err := os.Stat(p.picture(name)); err == nil && info.Size() == int64(len(picture)) {
		return name, nil
	}
	return name, paths.WriteVolatile(p.picture(name), picture)
}

// pictureSizes is what the pictures of each file hold.
func (p Place) pictureSizes() map[int]int64 {
	sizes := map[int]int64{}
	found, _ := os.ReadDir(p.Dir.JournalPictures())
	for _, f := range found {
		parts := pictureName.FindStringSubmatch(f.Name())
		if info, err := f.Info(); err == nil && parts != nil {
			n, _ := strconv.Atoi(parts[1])
			sizes[n] += info.Size()
		}
	}
	return sizes
}

// checkPicture says what is wrong with a picture, "" for nothing.
func (p Place) checkPicture(name string) string {
	parts := pictureName.FindStringSubmatch(name)
	if parts == nil {
		return "names no picture"
	}
	f, err := os.Open(p.picture(name))
	if err != nil {
		return "has lost its picture " + name
	}
	defer func() { _ = f.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil || hex.EncodeToString(sum.Sum(nil)) != parts[2] {
		return "has another picture than the one that was taken: " + name
	}
	return ""
}

// Picture reads a picture that an entry names.
func Picture(p Place, name string) ([]byte, error) {
	missing := fault.New(fault.CodeNotFound, "There is no such picture.", "Entries of the journal name their pictures.")
	if !pictureName.MatchString(name) {
		return nil, missing
	}
	raw, err := os.ReadFile(p.picture(name))
	if err != nil {
		return nil, missing.Because(err)
	}
	return raw, nil
}
