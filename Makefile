BIN := bin/cove
build: 
	@mkdir -p bin
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o $(BIN) ./cmd/cove
