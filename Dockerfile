# The whole gateway in an image of its own: the binary, certificates and nothing
# else. docker build -t waygate . && docker run -p 8080:8080 -v waygate:/data waygate
FROM node:22-alpine AS web
WORKDIR /src/web
COPY web/package.json web/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY web ./
RUN npm run build

FROM golang:1.26-alpine AS build
RUN apk add --no-cache ca-certificates git
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
COPY --from=web /src/web/dist web/dist
ARG VERSION
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w ${VERSION:+-X github.com/waygate/waygate/cmd/waygate/version.Number=$VERSION}" -o /waygate ./cmd/waygate \
    && mkdir -p /empty/data /empty/tmp && chmod 1777 /empty/tmp && chown 65532:65532 /empty/data

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /waygate /waygate
COPY --from=build --chown=65532:65532 /empty/data /data
COPY --from=build /empty/tmp /tmp
USER 65532:65532
ENV SVC_DATA_DIR=/data SVC_LISTEN=:8080
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["/waygate"]
# The sample county with a map; serve --region /data/... serves a region of yours.
CMD ["run"]
