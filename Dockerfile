# The command sledsim without anything installed. Written to convention and untried: there was no Docker at hand.
#   docker build -t sledsim .
#   docker run --rm -v "$PWD:/work" sledsim run my.trace.zst --device osdi00 --past-end wrap
FROM rust:1.88-slim-bookworm AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends build-essential python3-dev python3-venv \
    && rm -rf /var/lib/apt/lists/*
RUN python3 -m venv /maturin && /maturin/bin/pip install --no-cache-dir 'maturin>=1.16,<2'
WORKDIR /source
COPY . .
RUN /maturin/bin/maturin build --release --out /wheels

FROM python:3.12-slim-bookworm
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir "$(ls /wheels/*.whl)[plot]" && rm -r /wheels
# What comes out belongs to whoever asks: docker run --user "$(id -u):$(id -g)".
RUN useradd --create-home sledsim
USER sledsim
WORKDIR /work
ENTRYPOINT ["sledsim"]
CMD ["--help"]
