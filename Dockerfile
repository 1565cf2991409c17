# The binary alone: flinkadvise needs no shell, no certificates and no network.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=dev
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X github.com/flinkadvise/flinkadvise/cmd/internal/cli.Version=${VERSION}" -o /flinkadvise ./cmd/flinkadvise

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /flinkadvise /usr/bin/flinkadvise
WORKDIR /conf
ENTRYPOINT ["/usr/bin/flinkadvise"]
CMD ["check", "."]
