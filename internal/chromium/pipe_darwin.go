package chromium

import "os"

func widen(*os.File) {}
